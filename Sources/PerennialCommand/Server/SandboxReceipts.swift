import ArgumentParser
import Perennial
import PerennialDelivery

/// The option for receipts of the Sandbox, where purchases cost nothing.
struct SandboxReceiptOptions: ParsableArguments {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case accept, refuse
    }

    @Option(
        help: ArgumentHelp(
            "Give content for receipts of Sandbox, where purchases cost nothing; Apple's reviewers have such receipts.",
            valueName: "choice"))
    var sandboxReceipts = Choice.accept

    var environments: Set<StoreEnvironment.Kind> {
        switch sandboxReceipts {
        case .accept: Set(StoreEnvironment.Kind.allCases)
        case .refuse: [.production]
        }
    }

    /// Returns the target without the environments whose receipts are refused.
    func welcome(_ target: VerificationTarget) -> VerificationTarget {
        switch sandboxReceipts {
        case .accept: target
        case .refuse: target.withoutSandbox
        }
    }
}
