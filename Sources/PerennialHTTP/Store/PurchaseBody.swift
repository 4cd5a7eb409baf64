import FastJSON
import Foundation
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

extension StoreModels {
    struct PurchaseBody: RequestModel {
        var productId: String
        var quantity: Int?
        var applicationUsername: String?
        var appAccountToken: String?
        var offer: OfferBody?
        var idempotencyKey: String?
        var simulatesAskToBuy: Bool?
        var includeReceipt: Bool?
        /// True for an answer with the signed forms of StoreKit 2.
        var includeSigned: Bool?

        static let constraints: [String: Constraint] = [
            "quantity": .range(PurchaseRequest.quantities), "idempotencyKey": .idempotencyKey,
            "applicationUsername": .text(bytes: 0...PurchaseRequest.maximumUsernameLength),
            "appAccountToken": .uuidText,
        ]

        /// Returns the app's name for the customer: the token of StoreKit 2 in lower case, or any text of StoreKit 1.
        ///
        /// - Throws: ``StoreError`` `.malformed` for a token that is no UUID, and beside another name.
        func customerName() throws -> String? {
            guard let token = appAccountToken else { return applicationUsername }
            guard let uuid = UUID(uuidString: token)?.uuidString.lowercased(),
                applicationUsername == nil || applicationUsername?.lowercased() == uuid
            else {
                throw StoreError(
                    .malformed, "appAccountToken", "appAccountToken is a UUID, and an applicationUsername is the same")
            }
            return applicationUsername ?? uuid
        }
    }
}

extension StoreModels.PurchaseBody {
    static func read(_ buffer: ByteBuffer, refusesUnknownFields: Bool) throws -> Self {
        try Self(fastPath: Array(buffer.readableBytesView)) ?? Request.decode(Self.self, from: buffer)
    }

    /// Reads the body of a usual purchase, without the cost of a general decoder.
    ///
    /// `nil` for a body that isn't usual, which the decoder then reads, or refuses in its words.
    init?(fastPath bytes: [UInt8]) {
        var body = Self(productId: "")
        var seen: Set<String> = []
        var isUsual = true
        var scanner = JSONScanner(bytes)
        let isJSON: Void? = try? scanner.scanEveryMember { key, value in
            isUsual = isUsual && seen.insert(key).inserted
            switch (key, value) {
            case ("productId", .string(let text)): body.productId = text
            case ("quantity", .number(let number)):
                body.quantity = Int(exactly: number)
                isUsual = isUsual && body.quantity != nil
            case ("applicationUsername", .string(let text)): body.applicationUsername = text
            case ("idempotencyKey", .string(let text)): body.idempotencyKey = text
            case ("includeReceipt", .bool(let value)): body.includeReceipt = value
            case ("includeSigned", .bool(let value)): body.includeSigned = value
            case ("appAccountToken", .string(let text)): body.appAccountToken = text
            default: isUsual = false
            }
        }
        guard isJSON != nil, isUsual, seen.contains("productId") else { return nil }
        self = body
    }
}
