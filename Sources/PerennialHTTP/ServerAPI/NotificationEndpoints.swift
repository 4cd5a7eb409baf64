import AppStoreFormats
import FastJSON
import Foundation
import Hummingbird
import Perennial
import PerennialStorage
import PerennialStore

/// Endpoints about server notifications: a test, its result, and the history of 180 days.
struct NotificationEndpoints {
    /// A limit of ours on the length of a pagination token, in bytes.
    private static let maximumTokenLength = 200

    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        router.post("inApps/v1/notifications/test") { request, context in
            let (store, app) = try await api.app(context, .testNotification)
            return try await requestTest(store, app)
        }
        router.get("inApps/v1/notifications/test/:testNotificationToken") { request, context in
            let (store, app) = try await api.app(context, .testNotificationStatus)
            return try await testStatus(context.parameters.get("testNotificationToken") ?? "", store, app)
        }
        router.post("inApps/v1/notifications/history") { request, context in
            let (store, app) = try await api.app(context, .notificationHistory)
            return try await history(request, store, app)
        }
    }

    /// Answers with a token of the notification's UUID and the time of the request, as Apple's is.
    private func requestTest(_ store: Store, _ app: App) async throws -> Response {
        do {
            let uuid = try await store.notifications.requestTest(of: app.bundleID)
            let token = "\(uuid)_\(try await store.now().milliseconds)"
            return JSONResponse.make { json in
                json.beginObject()
                json.string("testNotificationToken", token)
                json.endObject()
            }
        } catch let error as NotificationError where error.code == .urlNotFound {
            throw ServerAPIError(.serverNotificationURLNotFound)
        }
    }

    private func testStatus(_ token: String, _ store: Store, _ app: App) async throws -> Response {
        let parts = token.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let uuid = UUID(uuidString: String(parts[0])), Int64(parts[1]) != nil else {
            throw ServerAPIError(.invalidTestNotificationToken)
        }
        do {
            let item = try await store.notifications.testResult(uuid.uuidString, of: app.bundleID)
            return JSONResponse.bytes(item.encoded())
        } catch let error as NotificationError where error.code == .testNotFound {
            throw ServerAPIError(.testNotificationNotFound)
        }
    }

    private func history(_ request: Request, _ store: Store, _ app: App) async throws -> Response {
        let body = try NotificationHistoryRequest(parsing: try await request.serverAPIBody())
        let token = request.uri.queryParameters["paginationToken"].map(String.init)
        let filter = try await filter(body, store, app)
        guard token.map({ $0.utf8.count <= Self.maximumTokenLength }) ?? true else {
            throw ServerAPIError(.invalidPaginationToken)
        }
        do {
            let page = try await store.notifications.history(filter, of: app.bundleID, after: token)
            let answer = NotificationHistoryResponse(
                notificationHistory: page.items, hasMore: page.next != nil, paginationToken: page.next)
            return JSONResponse.bytes(answer.encoded())
        } catch let error as NotificationError where error.code == .malformedPage {
            throw ServerAPIError(.invalidPaginationToken)
        }
    }

    private func filter(
        _ body: NotificationHistoryRequest, _ store: Store, _ app: App
    ) async throws -> NotificationsTable.Filter {
        let now = try await store.now()
        guard let start = body.startDate.map(Instant.init) else { throw ServerAPIError(.invalidStartDate) }
        guard let end = body.endDate.map(Instant.init) else { throw ServerAPIError(.invalidEndDate) }
        guard start >= now + -store.notifications.historyReach else { throw ServerAPIError(.startDateTooFarInPast) }
        // An end that lies ahead means now; nothing is newer, but for what has just been signed.
        guard start < end, start <= now else { throw ServerAPIError(.startDateAfterEndDate) }
        let transaction = body.transactionId ?? body.originalTransactionId
        guard transaction == nil || body.notificationType == nil else {
            throw ServerAPIError(.multipleFiltersSupplied)
        }
        try check(body.notificationType, body.notificationSubtype)
        return NotificationsTable.Filter(
            from: start, until: end >= now ? Instant(milliseconds: .max) : end, type: body.notificationType?.rawValue,
            subtype: body.notificationSubtype?.rawValue,
            account: try await account(transaction, store, app),
            onlyFailures: body.onlyFailures ?? false)
    }

    private func check(_ type: NotificationType?, _ subtype: NotificationSubtype?) throws {
        if let type, !NotificationType.known.contains(type) { throw ServerAPIError(.invalidNotificationType) }
        guard let subtype else { return }
        guard let type, NotificationSubtype.known[subtype]?.contains(type) == true else {
            throw ServerAPIError(.invalidNotificationType)
        }
    }

    /// Returns the customer of a transaction: the history is that of one customer, not of one purchase.
    private func account(_ text: String?, _ store: Store, _ app: App) async throws -> Account.ID? {
        guard let text else { return nil }
        guard let id = TransactionID(text) else { throw ServerAPIError(.invalidTransactionID) }
        return try await store.transactions.account(of: id, in: app)
    }
}
