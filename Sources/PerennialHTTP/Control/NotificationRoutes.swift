import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/notifications: where server notifications go, what became of them, and what goes wrong with
/// them on purpose.
struct NotificationRoutes {
    private static let path = "control/v1/apps/:bundleId/notifications"

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let path = RouterPath(Self.path)
        router.put(path) { request, context in try await put(request, context) }
        router.get(path) { request, context in
            let (store, app) = try await app(request, context)
            return try JSONResponse.make(
                NotificationModels.Settings(try await store.notificationSettings(of: app)))
        }
        router.delete(path) { request, context in
            let (store, app) = try await app(request, context)
            try await store.removeNotifications(of: app)
            return Response(status: .noContent)
        }
        router.put("\(Self.path)/trouble") { request, context in try await setTrouble(request, context) }
        router.delete("\(Self.path)/trouble") { request, context in
            let (store, app) = try await app(request, context)
            return try await change(store, app) { $0.trouble = nil }
        }
        router.post("\(Self.path)/test") { request, context in
            let (store, app) = try await app(request, context)
            let uuid = try await store.requestTestNotification(of: app)
            return try JSONResponse.make(NotificationModels.Named(notificationUUID: uuid))
        }
        router.get("\(Self.path)/history") { request, context in try await list(request, context) }
        router.get("\(Self.path)/history/:uuid") { request, context in
            let (store, app) = try await app(request, context)
            return try JSONResponse.make(
                NotificationModels.Notification(
                    try await store.notification(context.parameters.get("uuid") ?? "", of: app)))
        }
        router.post("\(Self.path)/history/:uuid/resend") { request, context in
            let (store, app) = try await app(request, context)
            let uuid = context.parameters.get("uuid") ?? ""
            try await store.resendNotification(uuid, of: app)
            return try JSONResponse.make(NotificationModels.Named(notificationUUID: uuid.lowercased()))
        }
    }

    private func app(
        _ request: Request, _ context: some RequestContext
    ) async throws -> (Store, App.BundleID) {
        let store = try await control.authorized(request, context)
        let name = context.parameters.get("bundleId")?.removingPercentEncoding ?? ""
        return (store, App.BundleID(rawValue: name))
    }

    private func put(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, app) = try await app(request, context)
        let body = try await request.controlJSON(NotificationModels.SettingsBody.self)
        guard let version = NotificationSettings.Version(rawValue: body.version ?? 2) else {
            throw APIError(.badRequest, "malformedRequest", "version is 1 or 2", field: "version")
        }
        let retries: NotificationSettings.Retries =
            try body.retries.map { try control.parse($0, field: "retries") } ?? .appStore
        var settings = NotificationSettings(url: body.url, version: version, retries: retries)
        if let timeout = body.timeoutMilliseconds { settings.timeout = timeout }
        return try JSONResponse.make(
            NotificationModels.Settings(try await store.redirectNotifications(settings, of: app)))
    }

    private func setTrouble(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, app) = try await app(request, context)
        let body = try await request.controlJSON(NotificationModels.TroubleBody.self)
        return try await change(store, app) { $0.trouble = body.trouble }
    }

    private func change(
        _ store: Store, _ app: App.BundleID, _ change: (inout NotificationSettings) -> Void
    ) async throws -> Response {
        var settings = try await store.notificationSettings(of: app)
        change(&settings)
        try await store.setNotifications(settings, of: app)
        return try JSONResponse.make(NotificationModels.Settings(settings))
    }

    private func list(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, app) = try await app(request, context)
        var limit = 100
        if let text = request.uri.queryParameters["limit"] {
            guard let number = Int(text), (1...Store.maximumListedNotifications).contains(number) else {
                throw APIError(
                    .badRequest, "malformedRequest", "limit is 1 to \(Store.maximumListedNotifications)",
                    field: "limit")
            }
            limit = number
        }
        let records = try await store.notifications(of: app, limit: limit)
        return try JSONResponse.make(
            NotificationModels.List(
                notifications: records.map { NotificationModels.Notification($0, signedPayload: nil) }))
    }
}
