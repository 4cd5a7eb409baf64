import OpenStoreKit
import Synchronization

/// The payment sheet of a session: confirms at once, unless a test has installed a sheet and dialogs aren't disabled.
final class SessionSheet: StoreConnection.PaymentSheet {
    private struct State {
        var isDisabled = false
        var installed: (any StoreConnection.PaymentSheet)?
    }

    private let state = Mutex(State())

    var isDisabled: Bool {
        get { state.withLock { $0.isDisabled } }
        set { state.withLock { $0.isDisabled = newValue } }
    }

    var installed: (any StoreConnection.PaymentSheet)? {
        get { state.withLock { $0.installed } }
        set { state.withLock { $0.installed = newValue } }
    }

    func confirm(_ payment: StoreConnection.PaymentDetails) async -> StoreConnection.PaymentSheetAnswer {
        guard let sheet = state.withLock({ $0.isDisabled ? nil : $0.installed }) else { return .buy }
        return await sheet.confirm(payment)
    }
}
