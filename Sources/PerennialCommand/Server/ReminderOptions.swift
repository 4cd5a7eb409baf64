import ArgumentParser
import Perennial

/// The option for reminders of non-renewing terms.
struct ReminderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make reminders of non-renewing terms so many days before their end, at most 366; 0 makes none.",
            valueName: "days"))
    var remindBefore = 7

    func validate() throws {
        guard (0...366).contains(remindBefore) else { throw ValidationError("--remind-before is 0 to 366.") }
    }

    /// The time before the end of a term; `nil` for no reminders.
    var milliseconds: Int64? { remindBefore == 0 ? nil : .days(Int64(remindBefore)) }
}
