import Foundation

/// An object of the app that is used on the callback queue only.
///
/// Unchecked, since observers, delegates and requests of apps aren't Sendable, as in StoreKit: they expect calls on the main queue.
struct AppObject<Object>: @unchecked Sendable {
    let object: Object
}

/// An observer with the queue it was added to, both held weakly.
struct WeakObserver: @unchecked Sendable {
    private(set) weak var observer: (any SKPaymentTransactionObserver)?
    private(set) weak var queue: SKPaymentQueue?

    init(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        self.observer = observer
        self.queue = queue
    }

    var isGone: Bool { observer == nil || queue == nil }

    func matches(_ observer: any SKPaymentTransactionObserver, _ queue: SKPaymentQueue) -> Bool {
        self.observer === observer && self.queue === queue
    }

    var present: PresentObserver? {
        guard let observer, let queue else { return nil }
        return PresentObserver(observer: observer, queue: queue)
    }
}

/// An observer with the queue it was added to.
struct PresentObserver: @unchecked Sendable {
    let observer: any SKPaymentTransactionObserver
    let queue: SKPaymentQueue
}

/// A queue's delegate, held weakly.
struct WeakDelegate: @unchecked Sendable {
    private(set) weak var delegate: (any SKPaymentQueueDelegate)?
    private(set) weak var queue: SKPaymentQueue?

    init() {}

    init(_ delegate: any SKPaymentQueueDelegate, of queue: SKPaymentQueue) {
        self.delegate = delegate
        self.queue = queue
    }
}
