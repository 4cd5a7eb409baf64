import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/notifications: where server notifications are sent, how each attempt ended, and the faults that
/// are injected into them.
struct NotificationRoutes {
    private static let path = "apps/:bundleId/notifications"

    func add(to routes: RouteGroup<ControlContext>) {
        let path = Self.path
        routes.put(path, "Send an app's server notifications somewhere, from what happens next on", use: put)
        routes.get(path, "Where an app's server notifications go", use: settings)
        routes.delete(path, "Send an app's server notifications nowhere any more", use: remove)
        routes.put(
            "\(path)/faults", "Have notifications doubled, delayed, reordered or lost on purpose", use: setFaults)
        routes.delete("\(path)/faults", "Remove the faults", use: removeFaults)
        routes.post("\(path)/test", "Send a notification that shows whether the receiver is there", use: test)
        routes.get(
            "\(path)/history", "An app's notifications, newest first",
            query: [
                .notificationType, .notificationSubtype, .sendingState, .notificationSubject, .pageLimit, .afterPair,
            ], use: list)
        routes.get("\(path)/history/:uuid", "A notification with every attempt and its payload", use: notification)
        routes.post("\(path)/history/:uuid/resend", "Send a notification once more", use: resend)
    }

    private func settings(
        _ call: Call<NoBody>, _ context: ControlContext
    ) async throws -> NotificationModels.Settings {
        NotificationModels.Settings(try await context.store.notifications.settings(of: context.bundleID))
    }

    private func put(
        _ call: Call<NotificationModels.SettingsBody>, _ context: ControlContext
    ) async throws -> NotificationModels.Settings {
        let body = try await call.body()
        guard let version = NotificationSettings.Version(rawValue: body.version ?? 2) else {
            throw APIError(.badRequest, "malformedRequest", "version is 1 or 2", field: "version")
        }
        let retries: NotificationSettings.Retries =
            try body.retries.map { try ControlFields.value($0, field: "retries") } ?? .appStore
        var settings = NotificationSettings(url: body.url, version: version, retries: retries)
        if let timeout = body.timeoutMilliseconds { settings.timeout = timeout }
        return NotificationModels.Settings(
            try await context.store.notifications.redirect(settings, of: context.bundleID))
    }

    private func remove(_ call: Call<NoBody>, _ context: ControlContext) async throws -> NoContent {
        try await context.store.notifications.disable(for: context.bundleID)
        return NoContent()
    }

    private func setFaults(
        _ call: Call<NotificationModels.FaultsBody>, _ context: ControlContext
    ) async throws -> NotificationModels.Settings {
        let body = try await call.body()
        return try await Self.change(context) { $0.faults = body.faults }
    }

    private func removeFaults(
        _ call: Call<NoBody>, _ context: ControlContext
    ) async throws -> NotificationModels.Settings {
        try await Self.change(context) { $0.faults = nil }
    }

    private static func change(
        _ context: ControlContext, _ change: (inout NotificationSettings) -> Void
    ) async throws -> NotificationModels.Settings {
        var settings = try await context.store.notifications.settings(of: context.bundleID)
        change(&settings)
        try await context.store.notifications.configure(settings, of: context.bundleID)
        return NotificationModels.Settings(settings)
    }

    private func test(_ call: Call<NoBody>, _ context: ControlContext) async throws -> NotificationModels.Named {
        NotificationModels.Named(
            notificationUUID: try await context.store.notifications.requestTest(of: context.bundleID))
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) async throws -> NotificationModels.List {
        let filter = NotificationFilter(
            type: call.query(.notificationType), subtype: call.query(.notificationSubtype),
            state: try call.query(.sendingState).map { try ControlFields.value($0, field: "state") },
            originalID: try call.query(.notificationSubject).map { text in
                guard let id = TransactionID(text) else {
                    throw APIError(
                        .badRequest, "malformedRequest", "originalTransactionId is a number",
                        field: "originalTransactionId")
                }
                return id
            })
        let page = try await context.store.notifications.list(
            of: context.bundleID, filter, after: call.query(.afterPair), limit: try call.pageLimit())
        return NotificationModels.List(
            notifications: page.items.map { NotificationModels.Notification($0, signedPayload: nil) },
            next: page.next)
    }

    private func notification(
        _ call: Call<NoBody>, _ context: ControlContext
    ) async throws -> NotificationModels.Notification {
        let uuid = context.parameters.get("uuid") ?? ""
        return NotificationModels.Notification(
            try await context.store.notifications.notification(uuid, of: context.bundleID))
    }

    private func resend(_ call: Call<NoBody>, _ context: ControlContext) async throws -> NotificationModels.Named {
        let uuid = context.parameters.get("uuid") ?? ""
        try await context.store.notifications.resend(uuid, of: context.bundleID)
        return NotificationModels.Named(notificationUUID: uuid.lowercased())
    }
}

extension QueryParameter {
    fileprivate static let notificationType = QueryParameter("type", .described("Such as DID_RENEW"))
    fileprivate static let notificationSubtype = QueryParameter("subtype", .described("Such as VOLUNTARY"))
    fileprivate static let sendingState = QueryParameter("state", .oneOf(SendingState.self))
    fileprivate static let notificationSubject = QueryParameter(
        "originalTransactionId", .pattern("^[0-9]{1,18}$", "Of the purchase or subscription that they are about"))
}
