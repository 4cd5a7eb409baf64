import Foundation
import OpenStoreKit
import Perennial

extension SKTestSession {
    /// Sends the session's App Store Server Notifications (version 2) to a backend under test, from the next event on; an addition to
    /// StoreKitTest.
    ///
    /// Each change of a purchase is posted once, in the order of the changes, as the App Store posts in Sandbox: without a second
    /// attempt. The root of the signatures is ``rootCertificate``, the environment in them `Xcode`. ``clearTransactions()`` and
    /// ``resetToDefaultState()`` keep the URL.
    ///
    /// - Parameter url: URL of the backend, `http` or `https`; `nil` for none.
    /// - Throws: ``SKTestError`` `.invalidURL`.
    public func setNotificationURL(_ url: URL?) async throws {
        let core = core
        core.withState { $0.notificationURL = url }
        do {
            try await core.notifications.send(to: url)
        } catch {
            core.withState { $0.notificationURL = nil }
            throw SKTestError(.invalidURL, "\(url?.absoluteString ?? "nil"): \(error)")
        }
    }

    /// Waits until the notifications of all changes up to now were posted and answered, or have failed; an addition to StoreKitTest.
    ///
    /// Without a URL of ``setNotificationURL(_:)`` it returns at once.
    ///
    /// - Throws: ``SKTestError`` `.serviceUnavailable`.
    public func deliverNotifications() async throws {
        let core = core
        try await throwingTestErrors {
            try await core.schedule.bringUpToDate()
            try await core.notifications.deliver()
        }
    }

    /// Requests a notification of the type `TEST`; an addition to StoreKitTest.
    ///
    /// - Returns: UUID of the notification.
    /// - Throws: ``SKTestError`` `.invalidAction` without a URL of ``setNotificationURL(_:)``.
    @discardableResult
    public func requestTestNotification() async throws -> String {
        let core = core
        guard core.withState({ $0.notificationURL != nil }) else {
            throw SKTestError(.invalidAction, "no URL is set for notifications")
        }
        return try await throwingTestErrors { try await core.notifications.requestTest() }
    }
}
