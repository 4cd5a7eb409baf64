import Perennial
import PerennialStorage
import PerennialStore

/// What the customers know: who they are, what they asked for and what they were told. Nothing of it is read from the
/// database.
struct Memory: Sendable {
    struct Request: Sendable {
        var request: PurchaseRequest
        /// What it was answered with; `nil` as long as nobody knows.
        var sold: TransactionID?
        var isRefused = false
    }

    private(set) var customers: [Action.Person: Customer] = [:]
    /// Who is behind an account.
    private(set) var people: [Account.ID: Action.Person] = [:]
    /// In the order in which they were sent.
    var requests: [Action.Person: [Request]] = [:]
    var refunded: [Action.Person: Set<TransactionID>] = [:]
    var finished: [Action.Person: Set<TransactionID>] = [:]
    var devices: [Action.Person: [Int: DeviceSession]] = [:]
    var offSale: Set<Product.ID> = []
    /// Whose card was declined all through the step that runs.
    var refusals = 0
    var answers = 0

    /// What the rival met the lock with.
    var postponed: Action?
    var failures: [Violation] = []

    mutating func meet(_ customer: Customer, _ person: Action.Person) {
        customers[person] = customer
        people[customer.key.account] = person
    }

    mutating func note(_ answer: Answer, of operation: Operation) {
        answers += 1
        guard let person = operation.action.person else {
            if case .approved(let request, let id?) = answer { approve(request, id) }
            return
        }
        switch answer {
        case .done, .approved: break
        case .sold(let request, let id): settle(person, request) { $0.sold = id }
        case .refunded(let id): refunded[person, default: []].insert(id)
        case .finished(let id): finished[person, default: []].insert(id)
        case .signedIn(let session, let device): devices[person, default: [:]][device] = session
        case .uninstalled(let device): devices[person]?[device] = nil
        }
    }

    mutating func noteRefusal(of operation: Operation) {
        refusals += 1
        if let person = operation.action.person, let request = operation.request {
            settle(person, request) { if $0.sold == nil { $0.isRefused = true } }
        }
    }

    /// A request is about to be sent: from now on it may have been sold.
    mutating func send(_ request: PurchaseRequest, by person: Action.Person) {
        guard !requests[person, default: []].contains(where: { $0.request == request }) else { return }
        requests[person, default: []].append(Request(request: request))
    }

    private mutating func approve(_ request: PurchaseRequest, _ id: TransactionID) {
        for person in requests.keys where requests[person]?.contains(where: { $0.request == request }) == true {
            settle(person, request) { $0.sold = id }
        }
    }

    private mutating func settle(
        _ person: Action.Person, _ request: PurchaseRequest, _ change: (inout Request) -> Void
    ) {
        guard let index = requests[person]?.firstIndex(where: { $0.request == request }) else { return }
        change(&requests[person, default: []][index])
    }
}

/// What somebody was told.
enum Answer: Sendable {
    case done
    case sold(PurchaseRequest, TransactionID)
    case approved(PurchaseRequest, TransactionID?)
    case refunded(TransactionID)
    case finished(TransactionID)
    case signedIn(DeviceSession, device: Int)
    case uninstalled(device: Int)
}

/// An action with what it acts on chosen: the same however often it is tried.
struct Operation: Sendable {
    let action: Action
    /// What is asked for, where it is a purchase.
    var request: PurchaseRequest?
    let run: @Sendable (Node) async throws -> Answer

    init(
        _ action: Action, _ request: PurchaseRequest? = nil, run: @escaping @Sendable (Node) async throws -> Answer
    ) {
        self.action = action
        self.request = request
        self.run = run
    }
}
