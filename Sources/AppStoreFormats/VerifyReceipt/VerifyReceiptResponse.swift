import FastJSON
import Foundation

/// The answer of verifyReceipt to an app receipt, and every refusal.
///
/// Strings and numbers are those of the App Store: of a receipt's fields only `adam_id`, `app_item_id`, `download_id`
/// and `version_external_identifier` are JSON numbers.
public struct VerifyReceiptResponse: Sendable, Equatable {
    /// The verdict.
    public var status: VerifyReceiptStatus
    /// The side of the store that answers.
    public var environment: AppStoreEnvironment?
    /// The receipt that was sent in.
    public var receipt: Receipt?
    /// The newest receipt; where it holds auto-renewables.
    public var latestReceipt: [UInt8]?
    /// The newest transactions, without finished consumables, in the order given: newest first is safest.
    public var latestReceiptInfo: [Transaction]?
    /// The next renewal of each subscription; present if the receipt holds auto-renewables.
    public var pendingRenewalInfo: [PendingRenewal]?
    /// True if a repeated request may succeed; for the statuses 21100 to 21199.
    public var isRetryable: Bool?

    /// Makes an answer without a receipt, such as a refusal.
    public init(status: VerifyReceiptStatus, environment: AppStoreEnvironment? = nil, isRetryable: Bool? = nil) {
        self.status = status
        self.environment = environment
        self.isRetryable = isRetryable
    }

    /// Creates the answer to an authentic receipt; the data of auto-renewables is set afterwards.
    public init(receipt: Receipt, environment: AppStoreEnvironment) {
        status = .valid
        self.environment = environment
        self.receipt = receipt
    }

    /// A receipt with the instant at which it was asked for.
    public struct Receipt: Sendable, Equatable {
        /// The contents of the receipt.
        public var receipt: AppReceipt
        /// The store's time of the request.
        public var requestDate: Date
        /// The transactions that a family member shares: only the store knows, the receipt doesn't say it.
        public var familyShared: Set<String>

        /// Makes one.
        public init(_ receipt: AppReceipt, requestDate: Date, familyShared: Set<String> = []) {
            self.receipt = receipt
            self.requestDate = requestDate
            self.familyShared = familyShared
        }
    }
}

extension VerifyReceiptResponse {
    /// The answer's body, keys in a fixed order.
    public func encoded() -> [UInt8] {
        let receipt = receipt.map { (EncodedReceipt($0.receipt, familyShared: $0.familyShared), $0.requestDate) }
        return Self.encoded(
            status, environment, receipt: receipt, EncodedRenewals(self), isRetryable: isRetryable)
    }

    /// The answer to an authentic receipt, made of parts that were written before.
    package static func encoded(
        _ environment: AppStoreEnvironment, _ receipt: EncodedReceipt, requestDate: Date, _ renewals: EncodedRenewals?
    ) -> [UInt8] {
        encoded(.valid, environment, receipt: (receipt, requestDate), renewals, isRetryable: nil)
    }

    private static func encoded(
        _ status: VerifyReceiptStatus, _ environment: AppStoreEnvironment?,
        receipt: (EncodedReceipt, requestDate: Date)?, _ renewals: EncodedRenewals?, isRetryable: Bool?
    ) -> [UInt8] {
        let size = 512 + (receipt?.0.count ?? 0) + (renewals?.count ?? 0)
        var json = JSONWriter(capacity: size)
        json.beginObject()
        json.number("status", Int64(status.rawValue))
        json.string("environment", environment?.rawValue)
        if let receipt { receipt.0.write(requestDate: receipt.requestDate, to: &json) }
        if let renewals { json.members(renewals.members) }
        json.bool("is_retryable", isRetryable)
        json.endObject()
        return json.finished()
    }
}

/// A receipt in verifyReceipt's JSON, encoded except for the time of the request.
package struct EncodedReceipt: Sendable {
    private let beforeRequestDate: [UInt8]
    private let afterRequestDate: [UInt8]

    /// Octets.
    package var count: Int { beforeRequestDate.count + afterRequestDate.count }

    /// - Parameter familyShared: The transactions that a family member shares.
    package init(_ receipt: AppReceipt, familyShared: Set<String>) {
        var json = JSONWriter()
        json.beginObject("receipt")
        json.string("receipt_type", receipt.receiptType.rawValue)
        json.number("adam_id", receipt.appItemID)
        json.number("app_item_id", receipt.appItemID)
        json.string("bundle_id", receipt.bundleID)
        json.string("application_version", receipt.applicationVersion)
        json.number("download_id", receipt.downloadID)
        json.number("version_external_identifier", receipt.versionExternalIdentifier)
        json.dateTriplet("receipt_creation_date", receipt.creationDate)
        beforeRequestDate = json.bytes
        json = JSONWriter(capacity: 1024 + receipt.purchases.count * VerifyReceiptResponse.usualPurchaseSize)
        json.dateTriplet("original_purchase_date", receipt.originalPurchaseDate)
        json.string("original_application_version", receipt.originalApplicationVersion)
        json.dateTriplet("preorder_date", receipt.preorderDate)
        json.dateTriplet("expiration_date", receipt.expirationDate)
        json.beginArray("in_app")
        for purchase in receipt.purchases {
            json.beginObject()
            purchase.write(to: &json)
            let isShared = familyShared.contains(purchase.transactionID)
            json.string(
                "in_app_ownership_type", (isShared ? InAppOwnershipType.familyShared : .purchased).rawValue)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        afterRequestDate = json.bytes
    }

    fileprivate func write(requestDate: Date, to json: inout JSONWriter) {
        json.members(beforeRequestDate)
        json.dateTriplet("request_date", requestDate)
        json.members(afterRequestDate)
    }
}

/// The parts of the answer beyond the receipt that was sent, encoded: `latest_receipt_info`, `latest_receipt` and
/// `pending_renewal_info`.
package struct EncodedRenewals: Sendable {
    fileprivate let members: [UInt8]

    /// Octets.
    package var count: Int { members.count }

    package init(_ response: VerifyReceiptResponse) {
        let purchases = response.latestReceiptInfo?.count ?? 0
        let size = purchases * VerifyReceiptResponse.usualPurchaseSize + (response.latestReceipt?.count ?? 0) * 4 / 3
        var json = JSONWriter(capacity: 512 + size)
        if let transactions = response.latestReceiptInfo {
            json.beginArray("latest_receipt_info")
            for transaction in transactions { transaction.write(to: &json) }
            json.endArray()
        }
        json.base64("latest_receipt", response.latestReceipt)
        if let renewals = response.pendingRenewalInfo {
            json.beginArray("pending_renewal_info")
            for renewal in renewals { renewal.write(to: &json) }
            json.endArray()
        }
        members = json.bytes
    }
}

extension VerifyReceiptResponse {
    /// Octets that a purchase takes, with all that a subscription's period says.
    fileprivate static let usualPurchaseSize = 1400
}
