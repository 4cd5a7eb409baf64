import AppStoreFormats
import PerennialStorage

/// Posts notifications to receivers.
package protocol NotificationSender: Sendable {
    /// Posts a notification once. Failures are outcomes; it never throws.
    ///
    /// - Parameter timeout: For the request and the whole answer, in milliseconds.
    func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome
}

/// The outcome of posting a notification.
package struct NotificationOutcome: Sendable, Equatable {
    package var result: SendAttemptResult
    /// The status of the receiver's answer, if there was one.
    package var httpStatus: Int?
    /// The beginning of the answer.
    package var response: NotificationRecord.Response?

    package init(
        _ result: SendAttemptResult, httpStatus: Int? = nil, response: NotificationRecord.Response? = nil
    ) {
        self.result = result
        self.httpStatus = httpStatus
        self.response = response
    }
}
