import Testing

@testable import PerennialCommand

struct ProgressTests {
    @Test(arguments: [
        (0, 1000, 0.0, "0 %  0/1000 steps, 0 a second, 5999:59 left"),
        (250, 1000, 5.0, "25 %  250/1000 steps, 50 a second, 0:15 left"),
        (500, 13_000, 5.0, "3 %  500/13000 steps, 100 a second, 2:05 left"),
        (1000, 1000, 8.0, "100 %  1000/1000 steps, 125 a second, 0:00 left"),
    ])
    func `progress tells share, rate and time left`(done: Int, total: Int, seconds: Double, words: String) {
        #expect(ProgressReading(done: done, total: total, seconds: seconds).description == words)
    }

    @Test(arguments: [(0, 0), (1, 0), (499, 11), (500, 12), (1000, 24)])
    func `the bar fills from left to right`(done: Int, full: Int) {
        let bar = ProgressReading(done: done, total: 1000, seconds: 1).bar
        #expect(bar == String(repeating: "█", count: full) + String(repeating: "░", count: 24 - full))
    }
}
