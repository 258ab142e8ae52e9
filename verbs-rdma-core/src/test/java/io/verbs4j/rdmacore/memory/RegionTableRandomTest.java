/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Full;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the table with a list that is searched linearly, over random additions, removals and lookups. */
@Full
class RegionTableRandomTest {
    private static final Object[] DOMAINS = {new Object(), new Object()};
    private static final int[] LKEYS = {Integer.MIN_VALUE, -1, Integer.MAX_VALUE};
    private static final long[] LENGTHS = {-1, Long.MAX_VALUE, 1L << 32};
    private static final int TRIES = 100;

    /** A region to add, after removing the one with that number (-1 for none), and a range to look up. */
    record Step(int remove, Range region, Range wanted) {}

    record Range(int lkey, int domain, long addr, long length) {
        boolean covers(Range other) {
            BigInteger from = unsigned(addr);
            BigInteger end = from.add(unsigned(length));
            BigInteger otherFrom = unsigned(other.addr);
            return lkey == other.lkey
                    && domain == other.domain
                    && from.compareTo(otherFrom) <= 0
                    && end.compareTo(otherFrom.add(unsigned(other.length))) >= 0;
        }

        private static BigInteger unsigned(long value) {
            return new BigInteger(Long.toUnsignedString(value));
        }
    }

    private record Entry(Range range, Pin pin) {}

    private static Range range(SplittableRandom random) {
        // Few keys and addresses, so that some collide, some share a bucket, and some are at the limits.
        int lkey = random.nextBoolean() ? random.nextInt(41) : LKEYS[random.nextInt(LKEYS.length)];
        long addr = switch (random.nextInt(3)) {
            case 0 -> random.nextLong(65);
            case 1 -> -1 - random.nextLong(64);
            default -> random.nextLong();
        };
        // A region never extends past the end of memory; a range that is looked up may.
        long length = random.nextBoolean() ? random.nextLong(41) : LENGTHS[random.nextInt(LENGTHS.length)];
        return new Range(lkey, random.nextInt(2), addr, length);
    }

    private static List<Step> steps(SplittableRandom random) {
        return Stream.generate(() -> new Step(random.nextInt(64) - 3, range(random), range(random)))
                .limit(random.nextInt(251))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tableFindsWhatListFinds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            itFindsWhatAListFinds(steps(random));
        }
    }

    private static void itFindsWhatAListFinds(List<Step> steps) {
        RegionTable table = new RegionTable();
        List<Entry> model = new ArrayList<>();
        for (Step step : steps) {
            if (step.remove >= 0 && step.remove < model.size()) {
                Entry gone = model.remove(step.remove);
                gone.pin.close();
                table.remove(gone.range.lkey, gone.pin);
            } else {
                Range region = inMemory(step.region);
                Entry entry = new Entry(region, new Pin());
                table.add(region.lkey, DOMAINS[region.domain], region.addr, region.length, entry.pin);
                model.add(entry);
                check(table, model, region); // it contains itself, so something is found
            }
            check(table, model, step.wanted);
        }
        model.forEach(entry -> check(table, model, entry.range));
    }

    private static Range inMemory(Range range) {
        boolean fits = Long.compareUnsigned(range.length, ~range.addr) <= 0;
        return fits ? range : new Range(range.lkey, range.domain, range.addr, ~range.addr);
    }

    private static void check(RegionTable table, List<Entry> model, Range wanted) {
        List<Pin> expected = model.stream()
                .filter(entry -> entry.range.covers(wanted))
                .map(Entry::pin)
                .toList();
        Pin found = table.enter(wanted.lkey, DOMAINS[wanted.domain], wanted.addr, wanted.length);
        if (expected.isEmpty()) {
            assertThat(found).as("%s", wanted).isNull();
        } else {
            assertThat(found).as("%s", wanted).isIn(expected);
            found.leave();
        }
        RegionTable.Region region = table.find(wanted.lkey, DOMAINS[wanted.domain], wanted.addr, wanted.length);
        assertThat(region != null).as("%s", wanted).isEqualTo(!expected.isEmpty());
        model.forEach(entry -> checkHolds(table, entry.range, wanted));
    }

    /** A known region may return false where the table finds one, but never true where the table finds none. */
    private static void checkHolds(RegionTable table, Range known, Range wanted) {
        RegionTable.Region region = table.find(known.lkey, DOMAINS[known.domain], known.addr, known.length);
        int length = (int) wanted.length;
        boolean mayAsk = length == wanted.length && length >= 0 && region.isAsLongAs(length);
        if (mayAsk && region.holds(wanted.lkey, wanted.addr, length)) {
            assertThat(table.covers(wanted.lkey, DOMAINS[known.domain], wanted.addr, length))
                    .as("%s in %s", wanted, known)
                    .isTrue();
        }
        assertThat(RegionTable.Region.NONE.holds(wanted.lkey, wanted.addr, length & Short.MAX_VALUE))
                .isFalse();
    }
}
