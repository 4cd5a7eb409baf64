import Dispatch
import Foundation
import Synchronization

/// A request to the store with a delegate. App code uses its subclasses.
///
/// Calls its delegate on the main queue. Keeps itself until its end.
///
/// Source: Apple, StoreKit documentation, "SKRequest".
open class SKRequest: NSObject, _SKRequestDelegating {
    public weak var _requestDelegate: (any SKRequestDelegate)?
    let run = RequestRun()
    /// Connection of the request; `nil` for the one of the caller of ``start()``.
    ///
    /// Set by convenience initialisers: a designated one would be one more that subclasses of an app inherit.
    var connection: StoreConnection?

    /// Makes a request that does nothing.
    public override init() {}

    /// Sends the request, once.
    open func start() {
        let store = CallerStore(own: connection)
        let request = AppObject(object: self)
        run.start {
            let end = await request.object.perform(on: store.connection)
            DispatchQueue.main.async {
                let request = request.object
                guard !request.run.isCancelled else { return }
                store.call { end(request) }
            }
        }
    }

    /// Cancels the request. The delegate isn't called any more.
    open func cancel() {
        run.cancel()
    }

    /// Does the work of the request, and returns the calls of its delegate.
    nonisolated func perform(on connection: StoreConnection?) async -> @Sendable (SKRequest) -> Void {
        { $0._requestDelegate?.requestDidFinish($0) }
    }
}

/// The delegate of ``SKRequest``.
///
/// The property is in an extension of a protocol, because ``SKProductsRequest`` has one of the same name and a narrower type, which
/// Swift doesn't allow for an override.
public protocol _SKRequestDelegating: AnyObject {
    /// Storage of the delegate.
    var _requestDelegate: (any SKRequestDelegate)? { get set }
}

extension _SKRequestDelegating {
    /// Delegate, held weakly.
    public var delegate: (any SKRequestDelegate)? {
        get { _requestDelegate }
        set { _requestDelegate = newValue }
    }
}

/// Receives the end of a request, on the main queue.
///
/// Source: Apple, StoreKit documentation, "SKRequestDelegate".
public protocol SKRequestDelegate: NSObjectProtocol {
    /// Called after a successful request, as the last call.
    func requestDidFinish(_ request: SKRequest)
    /// Called after a failed request.
    ///
    /// - Parameter error: An ``SKError``.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

/// Default implementations, which do nothing: all methods are optional.
extension SKRequestDelegate {
    public func requestDidFinish(_ request: SKRequest) {}
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
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

extension WeakReference: Sendable where Object: Sendable {}
