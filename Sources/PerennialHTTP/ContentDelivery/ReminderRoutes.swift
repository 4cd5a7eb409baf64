import Perennial
import PerennialDelivery
import PerennialStorage

/// delivery/v1/apps/…/reminders: terms that end soon, for the program that writes to the seller's customers.
struct ReminderRoutes {
    private struct Answer: AnswerModel {
        struct Reminder: Model, Encodable {
            let position: Int64
            let customer: String
            let productId: String
            let transactionId: String
            let starts: String
            let expires: String

            static let constraints: [String: Constraint] = ["starts": .time, "expires": .time]

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
        /// The position to continue after: the last of these, or the one asked for.
        let next: Int64
    }

    let delivery: Delivery

    func add(to routes: RouteGroup<ContentOperatorContext>) {
        routes.get(
            "apps/:bundleId/reminders", "Terms that end soon, for the seller's own programs",
            query: [.environment, .afterPosition], use: reminders)
    }

    private func reminders(_ call: Call<NoBody>, _ context: ContentOperatorContext) async throws -> Answer {
        guard let environment = StoreEnvironment.Kind(rawValue: call.query(.environment) ?? "Production") else {
            throw DeliveryError(.malformedRequest, "environment", "is Production or Sandbox")
        }
        guard let after = Int64(call.query(.afterPosition) ?? "0") else {
            throw DeliveryError(.malformedRequest, "after", "is a position")
        }
        let found = try await delivery.reminders(
            after: after, DeliveryScope(environment: environment, bundleID: context.bundleID))
        return Answer(reminders: found.map { Answer.Reminder($0) }, next: found.last?.position ?? after)
    }
}

extension QueryParameter {
    fileprivate static let environment = QueryParameter("environment", .oneOf(StoreEnvironment.Kind.self))
    fileprivate static let afterPosition = QueryParameter("after", .range(0...Int64.max), type: "integer")
}
