import AppStoreFormats
import Hummingbird
import PerennialDelivery

/// delivery/v1/notifications: where the store tells of refunds (App Store Server Notifications, version 2).
struct NotificationReceiver: Sendable {
    /// Largest body, in bytes: a JWS, and what stands around it.
    private static let maximumBody = JWSVerifier.maximumSize + (4 << 10)

    private struct Answer: Encodable {
        /// Whether it was one that bears on access; what it bears on was written down before this was said.
        let noted: Bool
    }

    let delivery: Delivery

    func receive(_ request: Request) async throws -> Response {
        let body = try await request.json(NotificationBody.self, upTo: Self.maximumBody)
        return try JSONResponse.make(Answer(noted: try await delivery.receive(notification: body.signedPayload)))
    }
}
