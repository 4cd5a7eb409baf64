import StoreKit

/// The monkey's credits, in the purchase vault of this device.
///
/// A consumable is credited exactly once for each transaction, also if the app ends between crediting and finishing: the vault
/// remembers the transactions that it has credited, and an unfinished one comes again.
public struct Wallet: Sendable {
    static let balance = "credits"

    private let vault: PurchaseVault

    /// Opens the wallet of the app's store.
    ///
    /// - Throws: ``MonkeyError/noStore``.
    public init() throws {
        guard let connection = StoreConnection.current else { throw MonkeyError.noStore }
        self.vault = connection.vault
    }

    /// Credits that can be spent.
    public var credits: Int { vault.balance(Self.balance).available }

    /// True if the golden typewriter is bought. Works without a network.
    public var hasGoldenTypewriter: Bool { vault.entitlement(to: Shop.typewriter) != nil }

    /// Spends credits.
    ///
    /// - Throws: `PurchaseVaultError` with too few credits.
    public func spend(_ credits: Int) throws {
        try vault.spend(credits, from: Self.balance)
    }

    /// Credits a purchase, if it wasn't credited before.
    func credit(_ transaction: Transaction) throws {
        guard let credits = Shop.credits[transaction.productID] else { return }
        try vault.credit(credits * transaction.purchasedQuantity, to: Self.balance, for: transaction.id)
    }

    /// Exports purchases and credits for another device of the same customer.
    public func backup(passphrase: String) throws -> Data {
        try vault.exportBackup(passphrase: passphrase)
    }

    /// Imports a backup of another device. Importing it twice changes nothing.
    ///
    /// Amounts and balance are the shop's, since those in the backup are signed by no one.
    public func restore(_ backup: Data, passphrase: String) throws {
        try vault.importBackup(backup, passphrase: passphrase) { credit in
            Shop.credits[credit.productID].map { (amount: $0 * credit.quantity, balance: Self.balance) }
        }
    }
}

/// An error of this app.
public enum MonkeyError: Error, CustomStringConvertible {
    case noStore
    case unknownProduct(String)
    case unverified
    case waitsForApproval

    public var description: String {
        switch self {
        case .noStore: "no store: set PERENNIAL_STORE_URL, PERENNIAL_BUNDLE_ID and PERENNIAL_ACCOUNT"
        case .unknownProduct(let id): "the shop has no \(id)"
        case .unverified: "the purchase isn't signed by the store"
        case .waitsForApproval: "the purchase waits for approval; the credits arrive with it"
        }
    }
}
