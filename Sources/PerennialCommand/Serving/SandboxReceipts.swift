import ArgumentParser
import Perennial
import PerennialDelivery

/// Whether Delivery gives content for receipts of the Sandbox, where nobody pays.
struct SandboxReceiptOptions: ParsableArguments {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case accept, refuse
    }

    @Option(
        help: ArgumentHelp(
            "Whether content is given for receipts of Sandbox, where anybody buys without paying; Apple's reviewers do so.",
            valueName: "choice"))
    var sandboxReceipts = Choice.accept

    var environments: Set<StoreEnvironment.Kind> {
        switch sandboxReceipts {
        case .accept: Set(StoreEnvironment.Kind.allCases)
        case .refuse: [.production]
        }
    }

    /// A store as far as its receipts are welcome.
    func welcome(_ target: VerificationTarget) -> VerificationTarget {
        switch sandboxReceipts {
        case .accept: target
        case .refuse: target.withoutSandbox
        }
    }
}
