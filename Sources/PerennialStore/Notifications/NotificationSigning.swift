import AppStoreFormats
import Perennial
import PerennialStorage

/// Signs a notification's payload, with the same bytes for every attempt: the payload follows from the stored notification,
/// and its signatures, which can't be reproduced, are stored after the first attempt.
struct NotificationSigning: Sendable {
    let signer: JWSSigner
    let app: App
    let environment: StoreEnvironment

    /// Appends the signed payload to a text.
    ///
    /// - Returns: The signatures, to be stored with the notification.
    /// - Throws: `StorageError` for unreadable details, or an error of the cryptographic library.
    func sign(_ record: NotificationRecord, to text: inout [UInt8]) throws -> [UInt8] {
        var source = SignatureSource(signer: signer, kept: record.signatures)
        var payload = NotificationPayload(
            notificationType: NotificationType(rawValue: record.type),
            subtype: record.subtype.map(NotificationSubtype.init(rawValue:)), notificationUUID: record.uuid,
            signedDate: record.signed.date)
        let details = try record.content.details.map(NotificationDetails.init(json:))
        if let summary = details?.summary {
            payload.summary = summary
        } else if let token = details?.externalPurchaseToken {
            payload.externalPurchaseToken = token
        } else if let transaction = details?.appTransaction {
            payload.appData = try appData(transaction, &source)
        } else {
            payload.data = try data(of: record, details, &source)
        }
        try source.append(payload.encoded(), to: &text)
        return source.used
    }

    private func data(
        of record: NotificationRecord, _ details: NotificationDetails?, _ source: inout SignatureSource
    ) throws -> NotificationPayload.Details {
        var data = NotificationPayload.Details(
            appAppleId: app.appleID, bundleId: app.bundleID.rawValue, environment: appStoreEnvironment)
        // A test's payload has nothing else.
        guard record.type != NotificationType.test.rawValue else { return data }
        data.bundleVersion = app.version
        data.signedTransactionInfo = try record.content.transactionInfo.map { try source.jws(Array($0.utf8)) }
        data.signedRenewalInfo = try record.content.renewalInfo.map { try source.jws(Array($0.utf8)) }
        data.status = record.content.status.map { Int32(truncatingIfNeeded: $0) }
        data.consumptionRequestReason = details?.consumptionRequestReason
        return data
    }

    private func appData(
        _ transaction: AppTransactionPayload, _ source: inout SignatureSource
    ) throws -> NotificationPayload.AppData {
        var data = NotificationPayload.AppData(
            appAppleId: app.appleID, bundleId: app.bundleID.rawValue, environment: appStoreEnvironment)
        data.signedAppTransactionInfo = try source.jws(transaction.encoded())
        return data
    }

    private var appStoreEnvironment: AppStoreEnvironment { AppStoreEnvironment(rawValue: environment.kind.rawValue) }
}

/// The signatures of a payload in order: the stored ones as long as the key is the same, else new ones.
private struct SignatureSource {
    private static let signatureLength = JWSSigner.signatureLength

    private let signer: JWSSigner
    private var kept: ArraySlice<UInt8>
    /// The key's fingerprint, then the signatures one after the other.
    private(set) var used: [UInt8]

    init(signer: JWSSigner, kept: [UInt8]?) {
        self.signer = signer
        used = signer.fingerprint
        let kept = kept ?? []
        self.kept = kept.starts(with: used) ? kept.dropFirst(used.count) : []
    }

    mutating func jws(_ payload: [UInt8]) throws -> String {
        var text: [UInt8] = []
        try append(payload, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    mutating func append(_ payload: [UInt8], to text: inout [UInt8]) throws {
        let known = kept.count >= Self.signatureLength ? Array(kept.prefix(Self.signatureLength)) : nil
        kept = kept.dropFirst(Self.signatureLength)
        used += try signer.append(payload, signature: known, to: &text)
    }
}
