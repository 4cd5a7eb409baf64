import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialDelivery
import PerennialStorage

/// delivery/v1/apps/…/reminders: terms that end soon, for whatever writes to the seller's customers.
package struct ReminderRoutes: Sendable {
    private struct Answer: Encodable {
        struct Reminder: Encodable {
            let position: Int64
            let customer: String
            let productId: String
            let transactionId: String
            let starts: String
            let expires: String

            init(_ record: DeliveryRemindersTable.Record) {
                position = record.position
                customer = record.customer
                productId = record.term.productID.rawValue
                transactionId = record.term.transactionID.description
                starts = record.term.start.rfc3339(fraction: true)
                expires = record.term.end.rfc3339(fraction: true)
            }
        }

        let reminders: [Reminder]
        /// Where to go on: the last position of these, or the one asked for.
        let next: Int64
    }

    private let delivery: Delivery
    private let operatorToken: String

    /// - Parameter operatorToken: Reminders name customers: who asks for them must have it.
    package init(delivery: Delivery, operatorToken: String) {
        self.delivery = delivery
        self.operatorToken = operatorToken
    }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("delivery/v1/apps/:bundleId/reminders") { request, context in
            do {
                return try await reminders(request, context)
            } catch let error as DeliveryError {
                throw APIError(error)
            } catch let error as APIError {
                throw error.withoutSKError
            }
        }
    }

    private func reminders(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let token = try request.bearerToken()
        // Digests are compared, so that the time it takes says nothing about the token.
        guard SHA256.hash(data: Data(token.utf8)) == SHA256.hash(data: Data(operatorToken.utf8)) else {
            throw DeliveryError(.unauthorized, "token", "the operator's token is wrong")
        }
        let query = request.uri.queryParameters
        guard let environment = StoreEnvironment.Kind(rawValue: query["environment"].map(String.init) ?? "Production")
        else { throw DeliveryError(.malformedRequest, "environment", "is Production or Sandbox") }
        guard let after = Int64(query["after"].map(String.init) ?? "0") else {
            throw DeliveryError(.malformedRequest, "after", "is a position")
        }
        let bundleID = App.BundleID(
            rawValue: try context.parameters.require("bundleId").removingPercentEncoding ?? "")
        let found = try await delivery.reminders(
            after: after, DeliveryScope(environment: environment, bundleID: bundleID))
        return try JSONResponse.make(
            Answer(reminders: found.map(Answer.Reminder.init), next: found.last?.position ?? after))
    }
}
