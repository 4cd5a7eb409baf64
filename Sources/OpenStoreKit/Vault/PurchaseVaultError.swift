import Foundation

/// An error of the purchase vault.
public enum PurchaseVaultError: Error, Hashable, Sendable, LocalizedError {
    /// The amount isn't positive.
    case invalidAmount
    /// The store hasn't sent the transaction to this device, also if an imported backup has it as unfinished.
    case unknownTransaction
    /// The transaction's signature wasn't verified.
    case unverifiedTransaction
    /// The transaction was refunded or revoked.
    case revokedTransaction
    /// The transaction was finished without being credited here, or on another device.
    case finishedTransaction
    /// The balance is smaller than the amount.
    case insufficientBalance(available: Int)
    /// The account has no password: a backup needs a passphrase.
    case passphraseRequired
    /// The backup is of another account or app, was changed, or the password or passphrase is another one.
    case backupRefused(reason: String)
    /// The vault can't be read or written now.
    case unavailable(reason: String)

    public var errorDescription: String? {
        switch self {
        case .invalidAmount: "The amount must be positive."
        case .unknownTransaction: "The store has not sent this transaction to this device."
        case .unverifiedTransaction: "The signature of this transaction was not verified."
        case .revokedTransaction: "This transaction was refunded or revoked."
        case .finishedTransaction: "This transaction is finished already."
        case .insufficientBalance(let available): "The balance is \(available)."
        case .passphraseRequired: "The account has no password; give a passphrase for the backup."
        case .backupRefused(let reason): "The backup was refused: \(reason)."
        case .unavailable(let reason): "The purchase vault is not available: \(reason)."
        }
    }
}
