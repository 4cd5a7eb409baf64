import PerennialDelivery
import PerennialStore

/// The sender of a request, as its credentials prove it.
enum Caller: Sendable {
    case controller(ControlCaller)
    case device(DeviceCaller)
    case customer(CustomerCaller)
    case seller(SellerCaller)
    case connect(ConnectKeyCaller)
    case contentCustomer(ContentCustomerCaller)
    // Large, and seldom.
    indirect case grant(GrantCaller)
    case contentOperator(ContentOperatorCaller)
}

/// One kind of sender: what its handlers are given.
protocol CallerProof: Sendable {
    /// - Returns: `nil` for a sender of another kind, and for none.
    init?(_ caller: Caller?)
}

/// A bearer of the control token.
struct ControlCaller: CallerProof {
    let store: Store

    init(store: Store) { self.store = store }

    init?(_ caller: Caller?) {
        guard case .controller(let proof)? = caller else { return nil }
        self = proof
    }
}

/// A device that sends a token, which the use case looks up in its own transaction: a purchase costs one.
struct DeviceCaller: CallerProof {
    let store: Store
    let token: String

    init(store: Store, token: String) { (self.store, self.token) = (store, token) }

    init?(_ caller: Caller?) {
        guard case .device(let proof)? = caller else { return nil }
        self = proof
    }
}

/// A customer who is signed in to an app on a device.
struct CustomerCaller: CallerProof {
    let store: Store
    let customer: Customer

    init(store: Store, customer: Customer) { (self.store, self.customer) = (store, customer) }

    init?(_ caller: Caller?) {
        guard case .customer(let proof)? = caller else { return nil }
        self = proof
    }
}

/// A seller's server that signs its tokens with a key of the App Store Server API.
struct SellerCaller: CallerProof {
    let store: Store
    let key: ServerAPICaller

    init(store: Store, key: ServerAPICaller) { (self.store, self.key) = (store, key) }

    init?(_ caller: Caller?) {
        guard case .seller(let proof)? = caller else { return nil }
        self = proof
    }
}

/// A program of the seller's team that signs its tokens with a key of the App Store Connect API.
struct ConnectKeyCaller: CallerProof {
    let store: Store
    let key: ConnectCaller

    init(store: Store, key: ConnectCaller) { (self.store, self.key) = (store, key) }

    init?(_ caller: Caller?) {
        guard case .connect(let proof)? = caller else { return nil }
        self = proof
    }
}

/// A customer of the seller's content server, by the token of a session that the use case looks up.
struct ContentCustomerCaller: CallerProof {
    let token: String

    init(token: String) { self.token = token }

    init?(_ caller: Caller?) {
        guard case .contentCustomer(let proof)? = caller else { return nil }
        self = proof
    }
}

/// A bearer of a grant that opens the content asked for.
struct GrantCaller: CallerProof {
    let content: AuthorizedContent

    init(content: AuthorizedContent) { self.content = content }

    init?(_ caller: Caller?) {
        guard case .grant(let proof)? = caller else { return nil }
        self = proof
    }
}

/// The seller's own program, by the content server's token.
struct ContentOperatorCaller: CallerProof {
    init() {}

    init?(_ caller: Caller?) {
        guard case .contentOperator? = caller else { return nil }
    }
}
