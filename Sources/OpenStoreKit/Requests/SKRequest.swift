import Foundation
import Synchronization

/// A request to the store with a delegate.
///
/// A protocol here and a class in StoreKit. ``SKProductsRequest`` and ``SKReceiptRefreshRequest`` conform to it.
///
/// Source: Apple, StoreKit documentation, "SKRequest".
public protocol SKRequest: AnyObject, Sendable {
    /// Sends the request, once.
    func start()
    /// Cancels the request. The delegate isn't called any more.
    func cancel()
}

/// Receives the end of a request, on a serial queue of the connection.
///
/// Source: Apple, StoreKit documentation, "SKRequestDelegate".
public protocol SKRequestDelegate: AnyObject, Sendable {
    /// Called after a successful request, as the last call.
    func requestDidFinish(_ request: any SKRequest)
    /// Called after a failed request.
    ///
    /// - Parameter error: An ``SKError``.
    func request(_ request: any SKRequest, didFailWithError error: any Error)
}

/// Default implementations, which do nothing.
extension SKRequestDelegate {
    public func requestDidFinish(_ request: any SKRequest) {}
    public func request(_ request: any SKRequest, didFailWithError error: any Error) {}
}

/// The single run of a request, which can be cancelled.
final class RequestRun: Sendable {
    private enum State {
        case idle
        case running(Task<Void, Never>)
        case over
    }

    private let state = Mutex(State.idle)

    /// Runs `work` in a task, once. The task keeps what `work` captures until the end.
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

/// A weak reference.
struct WeakReference<Object: AnyObject> {
    weak var object: Object?
}
