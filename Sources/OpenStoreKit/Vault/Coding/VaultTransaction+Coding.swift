import Foundation
import Perennial

/// Facts of an entry that are true or false.
private struct Flags: OptionSet {
    let rawValue: UInt8
    static let isFinished = Flags(rawValue: 1)
    static let isVerified = Flags(rawValue: 2)
    static let isUpgraded = Flags(rawValue: 4)
    static let isFamilyShared = Flags(rawValue: 8)
    static let hasToken = Flags(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ transaction: VaultTransaction) {
        var flags: Flags = []
        if transaction.isFinished { flags.insert(.isFinished) }
        if transaction.isVerified { flags.insert(.isVerified) }
        if transaction.isUpgraded { flags.insert(.isUpgraded) }
        if transaction.isFamilyShared { flags.insert(.isFamilyShared) }
        if transaction.appAccountToken != nil { flags.insert(.hasToken) }
        self = flags
    }
}

extension VaultTransaction {
    func write(to writer: inout VaultWriter, _ table: inout TextTable) {
        writer.number(id)
        writer.number(originalID)
        writer.number(table.number(of: productID))
        writer.number(kind.rawValue)
        writer.number(table.number(of: groupID))
        writer.number(purchaseDate.milliseconds)
        writer.number(originalPurchaseDate.milliseconds)
        writer.number(signedDate.milliseconds)
        writer.instant(expirationDate)
        writer.instant(revocationDate)
        writer.number(Int32(clamping: quantity))
        writer.number(Flags(self).rawValue)
        if let uuid = appAccountToken?.uuid { Swift.withUnsafeBytes(of: uuid) { writer.bytes($0) } }
        signed.write(to: &writer, &table)
    }

    init(_ reader: inout VaultReader, _ table: TextTable) throws(VaultFormatError) {
        let (id, originalID): (UInt64, UInt64) = (try reader.number(), try reader.number())
        let productID = try table.text(try reader.number())
        let kind = Kind(rawValue: try reader.number()) ?? .other
        let groupID = try table.optionalText(try reader.number())
        let purchaseDate = Instant(milliseconds: try reader.number())
        let originalPurchaseDate = Instant(milliseconds: try reader.number())
        let signedDate = Instant(milliseconds: try reader.number())
        let (expirationDate, revocationDate) = (try reader.instant(), try reader.instant())
        let quantity = Int(try reader.number(Int32.self))
        let flags = Flags(rawValue: try reader.number())
        let token = flags.contains(.hasToken) ? try reader.uuid() : nil
        self.init(
            id: id, originalID: originalID, productID: productID, kind: kind, groupID: groupID,
            purchaseDate: purchaseDate, originalPurchaseDate: originalPurchaseDate, signedDate: signedDate,
            expirationDate: expirationDate, revocationDate: revocationDate, quantity: quantity,
            isUpgraded: flags.contains(.isUpgraded), isFamilyShared: flags.contains(.isFamilyShared),
            appAccountToken: token, isFinished: flags.contains(.isFinished), isVerified: flags.contains(.isVerified),
            signed: try SignedText(&reader, table))
    }
}

extension VaultSubscription {
    func write(to writer: inout VaultWriter, _ table: inout TextTable) {
        writer.number(id)
        writer.number(table.number(of: groupID))
        writer.number(Int32(clamping: status))
        writer.number(isVerified ? 1 as UInt8 : 0)
        writer.instant(gracePeriodExpirationDate)
        writer.instant(renewalDate)
        writer.number(transactionID)
        transaction.write(to: &writer, &table)
        renewalInfo.write(to: &writer, &table)
    }

    init(_ reader: inout VaultReader, _ table: TextTable) throws(VaultFormatError) {
        self.init(
            id: try reader.number(), groupID: try table.text(try reader.number()),
            status: Int(try reader.number(Int32.self)), isVerified: try reader.number(UInt8.self) != 0,
            gracePeriodExpirationDate: try reader.instant(), renewalDate: try reader.instant(),
            transactionID: try reader.number(), transaction: try SignedText(&reader, table),
            renewalInfo: try SignedText(&reader, table))
    }
}

extension SignedText {
    /// Writes header, payload and signature; for a verbatim text no header, the payload, and the text in place of a signature.
    fileprivate func write(to writer: inout VaultWriter, _ table: inout TextTable) {
        if let parts {
            writer.number(table.number(of: parts.header))
            writer.data(payload)
            writer.data(parts.signature)
        } else {
            writer.number(TextTable.none)
            writer.data(payload)
            writer.text(text)
        }
    }

    fileprivate init(_ reader: inout VaultReader, _ table: TextTable) throws(VaultFormatError) {
        let header = try table.optionalText(try reader.number())
        let payload = try reader.slice()
        if let header {
            self.init(header: header, payload: payload, signature: try reader.slice())
        } else {
            self.init(verbatim: try reader.text(), payload: payload)
        }
    }
}

extension VaultWriter {
    /// Writes an instant or that there is none.
    fileprivate mutating func instant(_ instant: Instant?) {
        number(instant?.milliseconds ?? .min)
    }
}

extension VaultReader {
    fileprivate mutating func instant() throws(VaultFormatError) -> Instant? {
        let milliseconds: Int64 = try number()
        return milliseconds == .min ? nil : Instant(milliseconds: milliseconds)
    }

    fileprivate mutating func uuid() throws(VaultFormatError) -> UUID {
        let halves: (UInt64, UInt64) = (try number(), try number())
        return Swift.withUnsafeBytes(of: (halves.0.littleEndian, halves.1.littleEndian)) {
            UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
        }
    }
}
