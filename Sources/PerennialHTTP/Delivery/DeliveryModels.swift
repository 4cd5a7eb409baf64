import Foundation
import Perennial
import PerennialDelivery

struct SessionRequest: Decodable {
    let bundleId: String
    let customer: String
    let password: String
}

struct SessionAnswer: Encodable {
    let token: String
}

struct GrantRequest: Decodable {
    let bundleId: String
    let receipt: String
    let deviceId: String?

    /// The device that the receipt is to be made for.
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

struct GrantAnswer: Encodable {
    let environment: String
    let grant: String
    let expires: String
    let content: [ContentModel]
    let nonRenewing: [TermModel]
    let refused: [RefusedModel]

    init(_ grant: Grant) {
        environment = grant.environment.rawValue
        self.grant = grant.token
        expires = grant.expires.rfc3339(fraction: true)
        content = grant.contents.map(ContentModel.init)
        nonRenewing = grant.terms.map { TermModel($0) }
        refused = grant.refused.map(RefusedModel.init)
    }
}

struct TermsAnswer: Encodable {
    let nonRenewing: [TermModel]
    let refused: [RefusedModel]
    let grant: String
    let expires: String
    let content: [ContentModel]

    init(_ grant: Grant) {
        nonRenewing = grant.terms.map { TermModel($0, isActive: $0.isActive(at: grant.decided)) }
        refused = grant.refused.map(RefusedModel.init)
        self.grant = grant.token
        expires = grant.expires.rfc3339(fraction: true)
        content = grant.contents.map(ContentModel.init)
    }
}

struct ContentModel: Encodable {
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
        size = granted.facts.size
        sha256 = granted.facts.hexDigest
        version = granted.content.version
        filename = granted.content.filename
    }
}

struct TermModel: Encodable {
    let productId: String
    let transactionId: String
    let starts: String
    let expires: String
    let isActive: Bool?

    init(_ term: NonRenewingTerm, isActive: Bool? = nil) {
        productId = term.productID.rawValue
        transactionId = term.transactionID.description
        starts = term.start.rfc3339(fraction: true)
        expires = term.end.rfc3339(fraction: true)
        self.isActive = isActive
    }
}

struct RefusedModel: Encodable {
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
