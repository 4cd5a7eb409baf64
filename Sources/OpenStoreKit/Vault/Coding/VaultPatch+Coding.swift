import Foundation
import Perennial

/// The form of a patch: version, texts, then each field in a fixed order.
extension VaultPatch {
    private static var version: UInt8 { 1 }

    /// Flags of the optional fields that are there.
    private struct Fields: OptionSet {
        let rawValue: UInt8
        static let revision = Fields(rawValue: 1)
        static let noRevision = Fields(rawValue: 2)
        static let confirmation = Fields(rawValue: 4)
        static let rebuild = Fields(rawValue: 8)
        static let noRebuild = Fields(rawValue: 16)
        static let latestTime = Fields(rawValue: 32)
    }

    func encoded() throws -> Data {
        var table = TextTable()
        var body = VaultWriter(capacity: 256 + transactions.count * 1100 + subscriptions.count * 2200)
        writeSettings(to: &body)
        body.list(transactions) { $1.write(to: &$0, &table) }
        body.list(removedTransactions) { $0.number($1) }
        body.list(subscriptions) { $1.write(to: &$0, &table) }
        body.list(removedSubscriptions) { $0.number($1) }
        body.list(finishing) { $0.number($1) }
        body.list(acknowledged) { $0.number($1) }
        body.list(credits) { $1.write(to: &$0, &table) }
        body.list(spendings) { $1.write(to: &$0, &table) }
        let encoder = JSONEncoder()
        let records = try records.map { try encoder.encode($0) }
        body.list(records) { $0.data($1) }
        body.list(removedRecords) { $0.text($1) }
        body.list(documents) { writer, document in
            writer.text(document.name)
            writer.data(document.content)
        }
        var head = VaultWriter(capacity: 64 + table.texts.reduce(0) { $0 + $1.utf8.count + 4 })
        head.number(Self.version)
        head.list(table.texts) { $0.text($1) }
        var data = Data(capacity: head.bytes.count + body.bytes.count)
        data.append(contentsOf: head.bytes)
        data.append(contentsOf: body.bytes)
        return data
    }

    private func writeSettings(to body: inout VaultWriter) {
        var fields: Fields = []
        switch revision {
        case .keep: break
        case .set(.none): fields.insert(.noRevision)
        case .set(.some): fields.insert(.revision)
        }
        if confirmation != nil { fields.insert(.confirmation) }
        if let needsRebuild { fields.insert(needsRebuild ? .rebuild : .noRebuild) }
        if latestTime != nil { fields.insert(.latestTime) }
        body.number(fields.rawValue)
        if case .set(let revision?) = revision { body.text(revision) }
        if let confirmation {
            body.number(confirmation.storeTime.milliseconds)
            body.number(confirmation.deviceTime.milliseconds)
        }
        if let latestTime { body.number(latestTime.milliseconds) }
    }

    /// Reads a patch. Its signed texts share the storage of the data.
    ///
    /// - Throws: ``VaultFormatError``, or `DecodingError` of a record.
    init(_ data: Data) throws {
        self = try data.withUnsafeBytes { bytes in
            var reader = VaultReader(data, bytes)
            return try VaultPatch(&reader)
        }
    }

    private init(_ reader: inout VaultReader) throws {
        guard try reader.number(UInt8.self) == Self.version else { throw VaultFormatError(position: 0) }
        let table = TextTable(try reader.list { reader throws(VaultFormatError) in try reader.text() })
        let fields = Fields(rawValue: try reader.number())
        if fields.contains(.noRevision) { revision = .set(nil) }
        if fields.contains(.revision) { revision = .set(try reader.text()) }
        if fields.contains(.confirmation) {
            confirmation = StoreConfirmation(
                storeTime: Instant(milliseconds: try reader.number()),
                deviceTime: Instant(milliseconds: try reader.number()))
        }
        if fields.contains(.latestTime) { latestTime = Instant(milliseconds: try reader.number()) }
        if fields.contains(.rebuild) { needsRebuild = true }
        if fields.contains(.noRebuild) { needsRebuild = false }
        transactions = try reader.list { reader throws(VaultFormatError) in try VaultTransaction(&reader, table) }
        removedTransactions = try Self.numbers(&reader)
        subscriptions = try reader.list { reader throws(VaultFormatError) in try VaultSubscription(&reader, table) }
        removedSubscriptions = try Self.numbers(&reader)
        finishing = try Self.numbers(&reader)
        acknowledged = try Self.numbers(&reader)
        credits = try reader.list { reader throws(VaultFormatError) in try CreditLedger.Credit(&reader, table) }
        spendings = try reader.list { reader throws(VaultFormatError) in try CreditLedger.Spending(&reader, table) }
        let decoder = JSONDecoder()
        records = try reader.list { reader throws(VaultFormatError) in try reader.slice() }
            .map { try decoder.decode(RecordedPurchases.Entry.self, from: $0) }
        removedRecords = try reader.list { reader throws(VaultFormatError) in try reader.text() }
        documents = try reader.list { reader throws(VaultFormatError) in
            Document(name: try reader.text(), content: try reader.slice())
        }
        guard reader.isAtEnd else { throw VaultFormatError(position: reader.position) }
    }

    private static func numbers(_ reader: inout VaultReader) throws(VaultFormatError) -> [UInt64] {
        try reader.list { reader throws(VaultFormatError) in try reader.number() }
    }
}

extension CreditLedger.Credit {
    fileprivate func write(to writer: inout VaultWriter, _ table: inout TextTable) {
        writer.number(key.transactionID)
        writer.number(key.purchaseDate.milliseconds)
        writer.number(table.number(of: balance))
        writer.number(amount)
    }

    fileprivate init(_ reader: inout VaultReader, _ table: TextTable) throws(VaultFormatError) {
        key = CreditLedger.Key(
            transactionID: try reader.number(), purchaseDate: Instant(milliseconds: try reader.number()))
        balance = try table.text(try reader.number())
        amount = try reader.number()
    }
}

extension CreditLedger.Spending {
    fileprivate func write(to writer: inout VaultWriter, _ table: inout TextTable) {
        writer.number(table.number(of: balance))
        writer.number(table.number(of: device))
        writer.number(amount)
    }

    fileprivate init(_ reader: inout VaultReader, _ table: TextTable) throws(VaultFormatError) {
        balance = try table.text(try reader.number())
        device = try table.text(try reader.number())
        amount = try reader.number()
    }
}
