import AppStoreFormats
import Foundation
import Perennial
import PerennialDelivery

struct SessionBody: RequestModel {
    let bundleId: String
    let customer: String
    let password: String

    static let constraints: [String: Constraint] = [
        "customer": .text(bytes: 1...Delivery.maximumCustomerNameSize), "password": .password,
    ]
}

struct SessionAnswer: AnswerModel {
    let token: String
}

struct GrantBody: RequestModel {
    let bundleId: String
    let receipt: String
    let deviceId: String?

    static let constraints: [String: Constraint] = [
        "receipt": .pattern("^(?:[A-Za-z0-9+/]{4})+$", "An app receipt, in base64"), "deviceId": .uuidText,
    ]

    /// The device that the receipt is to be made for.
    ///
    /// - Throws: ``DeliveryError`` with `malformedRequest`.
    var device: UUID? {
        get throws {
            guard let deviceId else { return nil }
            guard let device = UUID(uuidString: deviceId) else {
                throw DeliveryError(.malformedRequest, "deviceId", "is identifierForVendor, a UUID")
            }
            return device
        }
    }
}

struct GrantAnswer: AnswerModel {
    let environment: String
    let grant: String
    let expires: String
    let content: [ContentModel]
    let nonRenewing: [TermModel]
    let refused: [RefusedModel]

    static let constraints: [String: Constraint] = [
        "environment": .oneOf(StoreEnvironment.Kind.self), "expires": .time,
    ]

    init(_ grant: Grant) {
        environment = grant.environment.rawValue
        self.grant = grant.token
        expires = grant.expires.rfc3339(fraction: true)
        content = grant.contents.map(ContentModel.init)
        nonRenewing = grant.terms.map { TermModel($0) }
        refused = grant.refused.map(RefusedModel.init)
    }
}

struct TermsAnswer: AnswerModel {
    let nonRenewing: [TermModel]
    let refused: [RefusedModel]
    let grant: String
    let expires: String
    let content: [ContentModel]

    static let constraints: [String: Constraint] = ["expires": .time]

    init(_ grant: Grant) {
        nonRenewing = grant.terms.map { TermModel($0, isActive: $0.isActive(at: grant.decided)) }
        refused = grant.refused.map(RefusedModel.init)
        self.grant = grant.token
        expires = grant.expires.rfc3339(fraction: true)
        content = grant.contents.map(ContentModel.init)
    }
}

struct ContentModel: Model, Encodable {
    let contentId: String
    let productId: String
    let transactionId: String
    let path: String
    let size: Int64
    let sha256: String
    let version: String
    let filename: String

    init(_ granted: GrantedContent) {
        contentId = granted.content.id.rawValue
        productId = granted.entitlement.productID.rawValue
        transactionId = granted.entitlement.transactionID.description
        path = "/delivery/v1/content/\(granted.content.id)"
        size = granted.metadata.size
        sha256 = granted.metadata.hexDigest
        version = granted.content.version
        filename = granted.content.filename
    }
}

struct TermModel: Model, Encodable {
    let productId: String
    let transactionId: String
    let starts: String
    let expires: String
    let isActive: Bool?

    static let constraints: [String: Constraint] = ["starts": .time, "expires": .time]

    init(_ term: NonRenewingTerm, isActive: Bool? = nil) {
        productId = term.productID.rawValue
        transactionId = term.transactionID.description
        starts = term.start.rfc3339(fraction: true)
        expires = term.end.rfc3339(fraction: true)
        self.isActive = isActive
    }
}

struct RefusedModel: Model, Encodable {
    let productId: String
    let transactionId: String
    let code: String
    let message: String

    init(_ refused: RefusedPurchase) {
        productId = refused.productID.rawValue
        transactionId = refused.transactionID.description
        code = refused.code.rawValue
        message = refused.reason
    }
}

struct NotificationAnswer: AnswerModel {
    /// True if it bears on access; its effect was written down before this is said.
    let noted: Bool
}

extension NotificationBody: RequestModel {
    static var constraints: [String: Constraint] { ["signedPayload": .jws] }
}
