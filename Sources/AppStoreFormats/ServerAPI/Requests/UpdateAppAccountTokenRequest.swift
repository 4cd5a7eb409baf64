import Foundation

/// The body of Set App Account Token.
public struct UpdateAppAccountTokenRequest: Hashable, Sendable, Codable {
    /// The app's own name for the customer.
    public var appAccountToken: UUID

    /// Makes a request.
    public init(appAccountToken: UUID) { self.appAccountToken = appAccountToken }
}

extension UpdateAppAccountTokenRequest {
    /// - Throws: ``ServerAPIError`` 4000183.
    package init(parsing body: ServerAPIRequestBody) throws {
        self.init(appAccountToken: try body.uuid("appAccountToken", .invalidAppAccountTokenUUID))
    }
}
