import Foundation

/// The state of a download, with StoreKit's raw values.
///
/// Source: Apple, StoreKit documentation, "SKDownloadState".
@frozen public enum SKDownloadState: Int, Sendable {
    case waiting = 0, active = 1, paused = 2
    case finished = 3, failed = 4, cancelled = 5
}

/// Value of ``SKDownload/timeRemaining`` for an unknown time.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Content of a purchased product, from the connection's content server.
///
/// Source: Apple, StoreKit documentation, "SKDownload".
open class SKDownload: NSObject {
    /// The transfer; `nil` in an object of a subclass.
    let transfer: ContentDownload?
    private weak var owner: SKPaymentTransaction?

    /// Makes a download without values, for subclasses.
    public override init() {
        self.transfer = nil
    }

    package init(_ transfer: ContentDownload, of transaction: SKPaymentTransaction? = nil) {
        self.transfer = transfer
        self.owner = transaction
    }

    /// State of the download.
    open var state: SKDownloadState { transfer.flatMap { SKDownloadState(rawValue: $0.state.rawValue) } ?? .waiting }
    /// ``state`` by its later name.
    open var downloadState: SKDownloadState { state }
    /// ID of the content: the product's identifier.
    open var contentIdentifier: String { transfer?.contentIdentifier ?? "" }
    /// Version of the content; empty without one.
    open var contentVersion: String { transfer?.contentVersion ?? "" }
    /// Size of the content in bytes.
    open var expectedContentLength: Int64 { transfer?.expectedContentLength ?? 0 }
    /// ``expectedContentLength`` by its earlier name.
    open var contentLength: Int64 { expectedContentLength }
    /// Progress from 0 to 1.
    open var progress: Float { transfer?.progress ?? 0 }
    /// Seconds to the end at the present rate, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval { transfer?.timeRemaining ?? SKDownloadTimeRemainingUnknown }
    /// Folder of the content; `nil` before the download is finished. Move it before the transaction is finished.
    open var contentURL: URL? { transfer?.contentURL }
    /// Error of a failed download.
    open var error: (any Error)? { transfer?.error }
    /// Transaction of the purchase.
    open var transaction: SKPaymentTransaction { owner ?? SKPaymentTransaction() }
}
