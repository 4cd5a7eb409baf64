import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/notifications: where server notifications are sent, how each attempt ended, and the faults that
/// are injected into them.
struct NotificationRoutes {
    private static let path = "apps/:bundleId/notifications"
    private static let limits = Int64(1)...Int64(Notifications.maximumListed)
    private static let usualLimit = 100

    func add(to routes: RouteGroup<ControlContext>) {
        let path = Self.path
        routes.put(path, "Send an app's server notifications somewhere, from what happens next on", use: put)
        routes.get(path, "Where an app's server notifications go", use: settings)
        routes.delete(path, "Send an app's server notifications nowhere any more", use: remove)
        routes.put(
            "\(path)/trouble", "Have notifications doubled, delayed, reordered or lost on purpose", use: setFaults)
        routes.delete("\(path)/trouble", "Let nothing go wrong any more", use: removeFaults)
        routes.post("\(path)/test", "Send a notification that shows whether the receiver is there", use: test)
        routes.get("\(path)/history", "An app's notifications, newest first", query: [.limit], use: list)
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
        _ call: Call<NotificationModels.TroubleBody>, _ context: ControlContext
    ) async throws -> NotificationModels.Settings {
        let body = try await call.body()
        return try await Self.change(context) { $0.faults = body.trouble }
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
        var limit = Self.usualLimit
        if let text = call.query(.limit) {
            guard let number = Int64(text), Self.limits.contains(number) else {
                throw APIError(
                    .badRequest, "malformedRequest", "limit is 1 to \(Notifications.maximumListed)",
                    field: "limit")
            }
            limit = Int(number)
        }
        let records = try await context.store.notifications.newest(of: context.bundleID, limit: limit)
        return NotificationModels.List(
            notifications: records.map { NotificationModels.Notification($0, signedPayload: nil) })
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
    fileprivate static let limit = QueryParameter(
        "limit", .range(1...Notifications.maximumListed), type: "integer")
}
