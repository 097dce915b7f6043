/** What is sealed, and how a sealed text looks. */

/** Members whose values are a guest's passwords and keys, in whatever kind they are embedded. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['userData', 'userDataBase64', 'networkData', 'networkDataBase64']);

/** Such a member inside a text: JSON, JSON in JSON, YAML. `kubectl apply` keeps whole objects in an annotation. */
const MENTIONED = /(?:userData|networkData)(?:Base64)?(?:\\*["'])?\s*:/;

/** `sealed:` and an HMAC-SHA256 in base64url. */
const SEALED = /^sealed:[\w-]{43}$/;

export function isSecretMember(member: string): boolean {
  return SECRET_MEMBERS.has(member);
}

export function looksSealed(text: string): boolean {
  return text.startsWith('sealed:') && SEALED.test(text);
}

/**
 * Whether a text must not leave the cluster. A text that looks sealed is sealed as well: it is a user's, and comes back as it
 * was. The empty text is no secret, and stays what it is to rules about empty members.
 */
export function mustBeSealed(text: string, member: string): boolean {
  if (text.length < 7) return text !== '' && isSecretMember(member);
  return isSecretMember(member) || looksSealed(text) || mentionsSecret(text);
}

function mentionsSecret(text: string): boolean {
  // Nearly every text of a cluster ends here, and this is far cheaper.
  return text.includes('Data') && MENTIONED.test(text);
}
