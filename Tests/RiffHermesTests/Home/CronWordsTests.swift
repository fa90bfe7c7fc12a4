// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import Testing

struct CronWordsTests {
    @Test(arguments: [
        ("* * * * *", "Every minute"),
        ("*/15 * * * *", "Every 15 minutes"),
        ("0 * * * *", "Every hour"),
        ("5 * * * *", "Every hour at minute 5"),
        ("0 */2 * * *", "Every 2 hours"),
        ("30 */6 * * *", "Every 6 hours at minute 30"),
        ("0 9 * * *", "Every day at 09:00"),
        ("0 9,17 * * *", "Every day at 09:00 and 17:00"),
        ("0,30 9 * * *", "Every day at 09:00 and 09:30"),
        ("0 9 * * 1-5", "Every weekday at 09:00"),
        ("0 9 * * mon-fri", "Every weekday at 09:00"),
        ("15 8 * * 0", "Every Sunday at 08:15"),
        ("15 8 * * 7", "Every Sunday at 08:15"),
        ("0 10 * * 6,0", "Every Saturday and Sunday at 10:00"),
        ("0 10 * * 1,3,5", "Every Monday, Wednesday and Friday at 10:00"),
        ("0 10 * * 1-4", "Every Monday to Thursday at 10:00"),
        ("0 0 1 * *", "On the 1st of every month at 00:00"),
        ("0 6 1,15 * *", "On the 1st and 15th of every month at 06:00"),
        ("0 6 1-7 * *", "On the 1st to 7th of every month at 06:00"),
        ("0 12 25 12 *", "On the 25th of December at 12:00"),
        ("0 12 * 6-8 *", "Every day in June to August at 12:00"),
        ("0 9 1 * 1", "Every Monday or on the 1st of every month at 09:00"),
        ("0 9-17 * * 1-5", "Every hour from 09:00 to 17:00, every weekday"),
        ("*/10 9-17 * * *", "Every 10 minutes from 09:00 to 17:59"),
        ("*/45 * * * *", "Every hour at minutes 0 and 45"),
        ("*/45 9-17 * * *", "minutes 0 and 45 past the hours from 09:00 to 17:59"),
        ("*/40 */2 * * *", "Every 2 hours at minutes 0 and 40"),
        ("0 */5 * * *", "Every day at 00:00, 05:00, 10:00, 15:00 and 20:00"),
        ("0 */18 * * 1-5", "Every weekday at 00:00 and 18:00"),
        ("*/30 */9 * * *", "Every 30 minutes in the hours 00, 09 and 18"),
        ("*/5 * * * 1-5", "Every 5 minutes, every weekday"),
        ("0 0 */2 * *", "Every 2 days of the month at 00:00"),
        ("@daily", "Every day at 00:00"),
        ("@hourly", "Every hour"),
        ("@weekly", "Every Sunday at 00:00"),
        ("@monthly", "On the 1st of every month at 00:00"),
        ("0 9 * * * 30", "Every day at 09:00 (with seconds)"),
        ("1,2,3,4,5,6,7 * * * *", "Every hour at minutes 1, 2, 3, 4, 5, 6 and 7"),
    ])
    func `an expression in words`(text: String, words: String) throws {
        #expect(CronWords.words(for: try #require(CronExpression(text))) == words)
        #expect(CronJob.Schedule.cron(text).words == words)
    }

    @Test(arguments: [
        ("*/9223372036854775807 * * * *", "Every hour"),
        ("59/9223372036854775807 * * * *", "Every hour at minute 59"),
        ("0 0 */9223372036854775806 * *", "Every 9223372036854775806 days of the month at 00:00"),
    ])
    func `a step beyond every clock has its first time alone`(text: String, words: String) {
        #expect(CronJob.Schedule.cron(text).words == words)
    }

    @Test(arguments: [
        "0-9223372036854775807 * * * *", "9223372036854775807 * * * *", "*/9223372036854775808 * * * *",
        "-9223372036854775808-1 * * * *",
    ])
    func `a number beyond every clock is no expression`(text: String) {
        #expect(CronExpression(text) == nil)
    }

    @Test func `an interval of any length is told`() {
        #expect(CronWords.words(forMinutes: .max) == "Every 153722867280912930 h 7 min")
        #expect(CronWords.words(forMinutes: .min) == "At once, again and again")
    }

    @Test(arguments: [
        "", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "a * * * *", "*/0 * * * *",
        "5-1 * * * *", "1,,2 * * * *", "* * * * * * *", "1-2-3 * * * *", "*/ * * * *", "-1 * * * *", "@never",
    ])
    func `what is no expression is shown as it is`(text: String) {
        #expect(CronExpression(text) == nil)
        #expect(CronJob.Schedule.cron(text).words == text)
    }

    @Test(arguments: [
        (1, "Every minute"), (30, "Every 30 minutes"), (60, "Every hour"), (90, "Every 1 h 30 min"),
        (120, "Every 2 hours"),
        (1440, "Every day"), (2880, "Every 2 days"), (0, "At once, again and again"),
    ])
    func `an interval in words`(minutes: Int, words: String) {
        #expect(CronJob.Schedule.interval(minutes: minutes).words == words)
    }

    @Test func `values of lists, ranges and steps`() throws {
        let expression = try #require(CronExpression("1-10/3,30 0-4 */10 jan,MAR 5-7"))
        #expect(expression.minute.values == [1, 4, 7, 10, 30])
        #expect(expression.hour.values == [0, 1, 2, 3, 4])
        #expect(expression.day.values == [1, 11, 21, 31])
        #expect(expression.month.values == [1, 3])
        #expect(expression.weekday.values == [0, 5, 6])
    }
}
