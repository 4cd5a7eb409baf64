import Foundation
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// A request's context that knows its connection.
package protocol ConnectionContext: RequestContext {
    var channel: any Channel { get }
}

/// The context of every request when it reaches the router.
package struct BasicConnectionContext: ConnectionContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    /// The sender, as the middleware of the route's group has proved it; `nil` on open routes.
    var caller: Caller?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// The context of a request whose sender is known: the only one that the handlers of a protected group get.
///
/// It is made from what the group's middleware has proved. Without such a middleware there is nothing to make it from, and
/// the request is refused.
struct CallerContext<Proof: CallerProof>: ConnectionContext, ChildRequestContext {
    typealias Source = Never

    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    let caller: Proof

    init(context: BasicConnectionContext) throws {
        guard let caller = Proof(context.caller) else {
            throw APIError(.unauthorized, "unauthorized", "this request needs credentials")
        }
        self.caller = caller
        coreContext = context.coreContext
        channel = context.channel
    }
}

/// Waits until the bytes written before have reached the connection.
///
/// A write returns as soon as it is queued for the connection's event loop, and only that loop learns that a client
/// takes no more. A writer that is faster than the loop would queue a whole file; passing through the loop after each
/// write makes the next write wait where it should.
struct WriteBackpressure: Sendable {
    private let loop: any EventLoop

    init(_ context: some ConnectionContext) { self.init(context.channel.eventLoop) }

    init(_ loop: any EventLoop) { self.loop = loop }

    func pass() async throws { try await loop.submit {}.get() }
}

typealias ControlContext = CallerContext<ControlCaller>
typealias DeviceContext = CallerContext<DeviceCaller>
typealias CustomerContext = CallerContext<CustomerCaller>
typealias SellerContext = CallerContext<SellerCaller>
typealias ConnectContext = CallerContext<ConnectKeyCaller>
typealias ContentCustomerContext = CallerContext<ContentCustomerCaller>
typealias GrantContext = CallerContext<GrantCaller>
typealias ContentOperatorContext = CallerContext<ContentOperatorCaller>

extension CallerContext<ControlCaller> {
    var store: Store { caller.store }
}

extension CallerContext<CustomerCaller> {
    var store: Store { caller.store }
    var customer: Customer { caller.customer }
}

extension RequestContext {
    /// A name in the path, such as a product's, without its percent-encoding.
    func name(_ parameter: String) -> String { parameters.get(parameter).flatMap(\.removingPercentEncoding) ?? "" }

    /// The app that the path names.
    var bundleID: App.BundleID { App.BundleID(rawValue: name("bundleId")) }
}
