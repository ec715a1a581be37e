import type { CreationOptional, InferAttributes, InferCreationAttributes } from 'sequelize';
import { Column, DataType, Model, Table } from 'sequelize-typescript';
import type {
  KycDocumentType,
  KycPriority,
  KycRejectionReason,
  ReviewedLevel,
  RequestableLevel,
} from '../../../workflows/kyc/kyc.rules';
import type { KycVerificationStatus } from '../../../workflows/kyc/review/kyc-review.states';

/** One identity verification: what its user submits, the review, and what was decided. */
@Table({ tableName: 'kyc_verifications', underscored: true, timestamps: false })
export class KycVerification extends Model<
  InferAttributes<KycVerification>,
  InferCreationAttributes<KycVerification>
> {
  @Column({ type: DataType.UUID, primaryKey: true })
  declare id: string;

  @Column({ type: DataType.UUID, allowNull: false })
  declare userId: string;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare status: KycVerificationStatus;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare requestedLevel: RequestableLevel;

  /** The approved level. */
  @Column(DataType.TEXT)
  declare level: ReviewedLevel | null;

  /** The sealed JSON of the personal data; null once the account is erased. */
  @Column(DataType.BLOB)
  declare personalInfo: Buffer | null;

  /** The keyed code of the document number, by which the same one is found under another account. */
  @Column(DataType.TEXT)
  declare documentNumberMac: string | null;

  /** The name of the sealing key of that code. */
  @Column(DataType.TEXT)
  declare documentNumberKey: string | null;

  @Column({ type: DataType.TEXT, allowNull: false })
  declare priority: CreationOptional<KycPriority>;

  /** The request that submitted it last; the same one again changes nothing. */
  @Column(DataType.UUID)
  declare submissionId: string | null;

  @Column(DataType.DATE)
  declare firstSubmittedAt: Date | null;

  /** The last submission. */
  @Column(DataType.DATE)
  declare submittedAt: Date | null;

  /** The time at which its process acts next: escalates, reminds, or ends what nobody answers. */
  @Column(DataType.DATE)
  declare dueAt: Date | null;

  @Column(DataType.DATE)
  declare escalatedAt: Date | null;

  @Column(DataType.DATE)
  declare remindedAt: Date | null;

  /** The reviewer who has claimed it. */
  @Column(DataType.UUID)
  declare assignedTo: string | null;

  @Column(DataType.DATE)
  declare claimedAt: Date | null;

  /** The end of the claim, unless its reviewer decides or releases it before. */
  @Column(DataType.DATE)
  declare claimLapsesAt: Date | null;

  /** A reviewer's request for more, in their own words, sealed (`requested-message.ts`). */
  @Column(DataType.BLOB)
  declare requestedMessage: Buffer | null;

  @Column(DataType.ARRAY(DataType.TEXT))
  declare requestedDocuments: KycDocumentType[] | null;

  @Column(DataType.DATE)
  declare decidedAt: Date | null;

  @Column(DataType.UUID)
  declare decidedBy: string | null;

  @Column(DataType.TEXT)
  declare rejectionReason: KycRejectionReason | null;

  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare canResubmit: CreationOptional<boolean>;

  /** True if a reviewer suspected fraud, of one document too; final, also when the document is gone. */
  @Column({ type: DataType.BOOLEAN, allowNull: false })
  declare isFraud: CreationOptional<boolean>;

  @Column(DataType.DATE)
  declare expiresAt: Date | null;

  /** When its user was told that it expires soon. */
  @Column(DataType.DATE)
  declare noticeSentAt: Date | null;

  /** When it expired, was superseded, or was withdrawn. */
  @Column(DataType.DATE)
  declare endedAt: Date | null;

  @Column({ type: DataType.DATE, allowNull: false })
  declare createdAt: Date;

  @Column({ type: DataType.DATE, allowNull: false })
  declare updatedAt: Date;
}
