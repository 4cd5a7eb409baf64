import AsyncHTTPClient
import Foundation
import Perennial
import PerennialHTTP
import PerennialStore
import Synchronization

/// Sends the App Store Server Notifications of a session after each change, one batch at a time.
final class SessionNotifications: Sendable {
    private struct State {
        var isOn = false
        var isSending = false
        /// True if something has changed since the batch under way began.
        var hasChanged = false
    }

    private let store: Store
    private let bundleID: App.BundleID
    private let state = Mutex(State())

    init(store: Store, bundleID: App.BundleID) {
        (self.store, self.bundleID) = (store, bundleID)
    }

    /// Sets the URL from the next event on; `nil` for none.
    func send(to url: URL?) async throws {
        if let url {
            try await store.notifications.configure(NotificationSettings(url: url.absoluteString), of: bundleID)
        } else {
            try await store.notifications.disable(for: bundleID)
        }
        state.withLock { $0.isOn = url != nil }
    }

    /// Requests a test notification.
    ///
    /// - Returns: UUID of the notification.
    func requestTest() async throws -> String {
        defer { changed() }
        return try await store.notifications.requestTest(of: bundleID)
    }

    /// Sends what is due, after a batch that is under way.
    func deliver() async throws {
        guard state.withLock({ $0.isOn }) else { return }
        try await store.notifications.sendDue()
    }

    /// Begins to send what a change has made due.
    func changed() {
        let begins = state.withLock { state in
            guard state.isOn else { return false }
            guard !state.isSending else {
                state.hasChanged = true
                return false
            }
            state.isSending = true
            return true
        }
        guard begins else { return }
        Task { await sendAll() }
    }

    private func sendAll() async {
        repeat {
            state.withLock { $0.hasChanged = false }
            do {
                try await store.notifications.sendDue()
            } catch {
                SessionLog.report("notifications were not sent: \(error)")
            }
        } while state.withLock({ state in
            state.isSending = state.hasChanged
            return state.isSending
        })
    }
}

/// Posts the notifications of all sessions with one client of the process, made with the first notification.
struct SessionNotificationSender: NotificationSender {
    private static let client = NotificationClient(
        client: HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration))

    func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
        await Self.client.post(body, to: url, timeout: timeout)
    }
}
