import ArgumentParser
import PerennialStore

/// The size of a page.
struct PageLimitOption: ParsableArguments {
    static let help = ArgumentHelp("At most so many rows, 1 to 200 (100 if omitted).", valueName: "count")

    @Option(help: Self.help)
    var limit: Int?

    func validate() throws { try Self.check(limit) }

    static func check(_ limit: Int?) throws {
        let allowed = PerennialStore.ListLimit.allowed
        guard let limit, !allowed.contains(limit) else { return }
        throw ValidationError("--limit is \(allowed.lowerBound) to \(allowed.upperBound).")
    }
}
