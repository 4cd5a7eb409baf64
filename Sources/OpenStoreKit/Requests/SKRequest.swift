import Foundation
import Synchronization

/// A request to the store whose end a delegate learns of.
///
/// A protocol here, where StoreKit has a class to inherit from: its requests are ``SKProductsRequest`` and
/// ``SKReceiptRefreshRequest``.
public protocol SKRequest: AnyObject, Sendable {
    /// Sends the request. A request that is under way or over is not sent again.
    func start()
    /// Ends the request: from here on the delegate hears nothing more of it.
    func cancel()
}

/// Learns how a request ended. Calls come on a serial queue of the connection's.
public protocol SKRequestDelegate: AnyObject, Sendable {
    /// The request is over, after whatever else its delegate was told.
    func requestDidFinish(_ request: any SKRequest)
    /// The request is over and brought nothing.
    ///
    /// - Parameter error: An ``SKError``.
    func request(_ request: any SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func requestDidFinish(_ request: any SKRequest) {}
    public func request(_ request: any SKRequest, didFailWithError error: any Error) {}
}

/// What all requests share: they run once, and can be cancelled.
final class RequestRun: Sendable {
    private enum State {
        case idle
        case running(Task<Void, Never>)
        case over
    }

    private let state = Mutex(State.idle)

    /// Runs `work` in a task, unless it has run. The task holds on to what `work` captures until the end.
    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard case .idle = state else { return }
            state = .running(Task { await work() })
        }
    }

    func cancel() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .over
        }
    }

    var isCancelled: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }
}

/// A delegate, held weakly as StoreKit holds it.
struct WeakReference<Object: AnyObject> {
    weak var object: Object?
}
