import AppStoreFormats
import Dispatch
import PerennialStorage
import PerennialStore

/// What all sessions of the process share, made with the first one: keys that sign, and a database with the schema.
enum ProcessParts {
    /// Begins to make the parts on other threads, while the caller reads its configuration file.
    static func prepare() { _ = preparation }

    /// Begins to make the keys of receipts on other threads, when the first session is there: the search for them would slow it down.
    static func prepareReceipts() { _ = receiptPreparation }

    private static let receiptPreparation: Void = {
        DispatchQueue.global(qos: .utility).async {
            _ = try? ProcessSigning.identities.get().receiptRootCertificate
        }
    }()

    private static let preparation: Void = {
        DispatchQueue.global(qos: .userInitiated).async { _ = ProcessSigning.signing }
        DispatchQueue.global(qos: .userInitiated).async { _ = emptyDatabase }
    }()

    /// An image of a migrated database.
    static let emptyDatabase = Result {
        var options = DatabaseOptions()
        // Each configuration file has a database, with a page for each table and index, of which most stay empty.
        options.memoryPageBytes = 2048
        let database = try Database(.inMemory, options: options)
        try database.migrate()
        return try SQLiteImage(of: database)
    }
}

/// The keys that sign for all sessions of the process. Those of receipts are made on other threads; the first receipt waits.
enum ProcessSigning {
    static let identities = Result { try SigningIdentities.makeDeferringReceipts(startsAtOnce: false) }
    static let signing = identities.map { Signing($0) }
}
