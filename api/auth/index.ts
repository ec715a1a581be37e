import { login } from './login';
import { logout } from './logout';
import { refresh } from './refresh';

export const authEndpoints = [login, logout, refresh];
