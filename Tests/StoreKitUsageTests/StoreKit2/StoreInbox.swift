import StoreKit

/// Handles what the App Store brings to the app: purchases that began on its product page, and messages, which wait while the customer
/// does something else.
actor StoreInbox {
    enum Event: Equatable, Sendable {
        case bought(String, offer: String?)
        case message(Message.Reason)
    }

    nonisolated let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var held: [Message] = []
    private var isBusy: Bool

    init(isBusy: Bool = false) {
        self.isBusy = isBusy
        (events, continuation) = AsyncStream.makeStream()
    }

    func start() {
        tasks = [
            Task { [weak self] in
                for await intent in PurchaseIntent.intents { await self?.buy(intent) }
            },
            Task { [weak self] in
                for await message in Message.messages { await self?.show(message) }
            },
        ]
    }

    func stop() {
        tasks.forEach { $0.cancel() }
        continuation.finish()
    }

    func becomeIdle() {
        isBusy = false
        held.forEach { continuation.yield(.message($0.reason)) }
        held = []
    }

    private func buy(_ intent: PurchaseIntent) async {
        var options: Set<Product.PurchaseOption> = []
        if let offer = intent.offer, offer.type == .winBack { options.insert(.winBackOffer(offer)) }
        guard case .success(.verified(let transaction))? = try? await intent.product.purchase(options: options)
        else { return }
        await transaction.finish()
        continuation.yield(.bought(transaction.productID, offer: transaction.offer?.id))
    }

    private func show(_ message: Message) {
        guard !isBusy else { return held.append(message) }
        continuation.yield(.message(message.reason))
    }
}
