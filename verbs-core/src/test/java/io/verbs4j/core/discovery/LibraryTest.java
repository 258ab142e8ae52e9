/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Background;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.base.Origin;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists, opens and reports, over providers that are there already; DiscoveryTest finds them. */
@Timeout(Patience.TEST_SECONDS)
class LibraryTest {
    private final Device a0 = new Fakes.FakeDevice("a0");
    private final Device a1 = new Fakes.FakeDevice("a1");
    private final Device b0 = new Fakes.FakeDevice("b0");
    private final Fakes.FakeProvider a = new Fakes.FakeProvider("a", a0, a1);
    private final Fakes.FakeProvider b = new Fakes.FakeProvider("b", b0);

    private static Library library(Fakes.FakeProvider... providers) {
        return new Library(
                () -> Arrays.stream(providers).map(Fakes.FakeProvider::found).toList(), TimeLimit::ofProperty);
    }

    /** What somebody who ends a thread makes it throw, while Java has it. */
    @SuppressWarnings("removal")
    private static Error dying() {
        return new ThreadDeath();
    }

    /** A provider whose list is made anew, or fails. */
    private static Fakes.FakeProvider lister(String name, Supplier<List<Device>> list) {
        Fakes.FakeProvider listed = new Fakes.FakeProvider(name);
        return listed.listing(list);
    }

    @Test
    void devicesComeInProviderOrder() {
        assertThat(library(b, a).devices()).containsExactly(b0, a0, a1);
    }

    @Test
    void eachListingAsksProvidersAnew() {
        Library library = library(a, b);
        assertThat(library.devices()).hasSize(3);

        Device plugged = new Fakes.FakeDevice("a2");
        a.devices.remove(a0);
        a.devices.add(plugged);

        assertThat(library.devices()).containsExactly(a1, plugged, b0);
    }

    @Test
    void manyThreadsDiscoverOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Library library = new Library(
                () -> {
                    runs.incrementAndGet();
                    LockSupport.parkNanos(1);
                    return List.of(a.found());
                },
                TimeLimit::ofProperty);
        CyclicBarrier start = new CyclicBarrier(4);
        List<Background<List<Device>>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Background.call(() -> {
                start.await();
                return library.devices();
            }));
        }

        for (Background<List<Device>> thread : threads) {
            assertThat(thread.result()).containsExactly(a0, a1);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void providerThatCannotListIsReportedAndOthersWork() {
        boolean[] broken = {true};
        Fakes.FakeProvider moody = lister("moody", () -> {
            if (broken[0]) {
                throw new VerbsException(Errno.EACCES, "get_device_list", "no right to /dev/infiniband");
            }
            return List.of(a0);
        });
        Library library = library(moody, b);

        assertThat(library.devices()).containsExactly(b0);
        Report.Entry entry = library.report().entries().get(0);
        assertThat(entry.used()).isFalse();
        assertThat(entry.reason()).contains("can't be listed", "no right to /dev/infiniband");
        assertThat(library.report().entries().get(1).used()).isTrue();

        broken[0] = false;
        assertThat(library.devices()).containsExactly(a0, b0);
        assertThat(library.report().entries().get(0).used()).isTrue();
    }

    @Test
    void anythingThrownByDevicesLeavesOthersWorking() {
        List<Supplier<List<Device>>> lists = List.of(
                () -> null,
                () -> {
                    throw new IllegalStateException("oops");
                },
                () -> {
                    throw new UnsatisfiedLinkError("libmlx5.so.1");
                },
                () -> {
                    throw new NoClassDefFoundError("com/sun/jna/Library");
                },
                () -> {
                    throw new StackOverflowError();
                },
                () -> {
                    throw new OutOfMemoryError("for the test");
                },
                () -> {
                    throw new InternalError("for the test");
                },
                () -> {
                    throw new UnknownError("for the test");
                });
        List<String> reasons = List.of(
                "returned null",
                "IllegalStateException: oops",
                "install the native library",
                "put its dependencies on the path",
                "StackOverflowError",
                "OutOfMemoryError: for the test; if it needs that much, give the JVM more memory",
                "InternalError: for the test",
                "UnknownError: for the test");
        for (int i = 0; i < lists.size(); i++) {
            Library library = library(lister("broken", lists.get(i)), b);

            assertThat(library.devices()).containsExactly(b0);
            Report.Entry entry = library.report().entries().get(0);
            assertThat(entry.used()).isFalse();
            assertThat(entry.reason()).contains("devices()").contains(reasons.get(i));
        }
    }

    @Test
    void faultyDevicesAreLeftOutAndReported() {
        Device twin = new Fakes.FakeDevice("b0");
        Device nameless = new Fakes.FakeDevice(" ");
        a.devices.clear();
        a.devices.addAll(Arrays.asList(a0, null, twin, nameless, a1));
        Library library = library(b, a);

        assertThat(library.devices()).containsExactly(b0, a0, a1);

        List<Report.Entry> entries = library.report().entries();
        assertThat(entries).hasSize(5);
        assertThat(entries.get(1).used()).isTrue();
        assertThat(entries.get(1).reason()).isEmpty();
        assertThat(entries.get(1).deviceNames()).containsExactly("a0", "a1");
        assertThat(entries.get(2).reason()).contains("null");
        assertThat(entries.get(2).deviceNames()).isEmpty();
        assertThat(entries.get(3).used()).isFalse();
        assertThat(entries.get(3).identity().name()).isEqualTo("a");
        assertThat(entries.get(3).deviceNames()).containsExactly("b0");
        assertThat(entries.get(3).reason()).contains("device b0 was left out", "provider 'b'", "io.verbs4j.exclude");
        assertThat(entries.get(4).reason()).contains("without a name");
        assertFails(Errno.ENODEV, () -> library.open(twin, 1), "device b0");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void listOfOtherObjectsIsReported() {
        Library library = library(lister("odd", () -> (List) List.of("no device")), b);

        assertThat(library.devices()).containsExactly(b0);
        assertThat(library.report().entries().get(0).reason()).contains("ClassCastException");
    }

    @Test
    void openPassesDeviceToItsProvider() {
        List<Object> seen = new ArrayList<>();
        b.opener = (device, context) -> {
            seen.add(device);
            seen.add(context);
            return new ContextOps() {};
        };
        Library library = library(a, b);
        library.devices();

        Context context = library.open(b0, VerbsLevel.CURRENT);

        assertThat(seen).containsExactly(b0, context);
        assertThat(context.device()).isSameAs(b0);
        assertThat(context.context()).isSameAs(context);
        context.close();
    }

    @Test
    void eachOpenReturnsNewContext() {
        b.opener = (device, context) -> new ContextOps() {};
        Library library = library(b);

        Context first = library.open(b0, 1);
        Context second = library.open(b0, 1);
        first.close();

        assertThat(second.numCompVectors()).isEqualTo(1);
        assertFails(Errno.EINVAL, first::numCompVectors, "context of b0 is closed");
    }

    @Test
    void openChecksItsArguments() {
        Library library = library(a);

        assertFails(Errno.EINVAL, () -> library.open(null, 1), "open_device", "device is null");
        assertFails(Errno.EINVAL, () -> library.open(a0, 0), "callerLevel is 0");
        assertFails(Errno.EINVAL, () -> library.open(a0, -1), "callerLevel is -1");
        assertFails(Errno.ENODEV, () -> library.open(b0, 1), "device b0 is not among those", "list them again");
    }

    @Test
    void missingDeviceFailsToOpen() {
        a.opener = (device, context) -> new ContextOps() {};
        Library library = library(a);
        library.devices();
        a.devices.remove(a0);

        library.open(a0, 1).close(); // the provider knows best, as long as nobody has listed anew
        library.devices();
        assertFails(Errno.ENODEV, () -> library.open(a0, 1), "device a0");
    }

    @Test
    void programForNewerHeaderFailsWithRemedy() {
        Library library = library(a);

        assertFails(
                Errno.EPROTO,
                () -> library.open(a0, 5),
                "the program was compiled for level 5",
                "is level 4, from ",
                Origin.of(VerbsLevel.class),
                "put verbs-spi of at least level 5 before it");
    }

    @Test
    void openContainsProviderFailures() {
        Library library = library(a);

        a.opener = (device, context) -> null;
        assertFails(Errno.EIO, () -> library.open(a0, 1), "open_device", "provider 'a' returned null");
        a.opener = (device, context) -> {
            throw new IllegalStateException("oops");
        };
        assertFails(Errno.EIO, () -> library.open(a0, 1), "provider 'a' failed with", "oops");
        a.opener = (device, context) -> {
            throw new UnsatisfiedLinkError("libmlx5.so.1");
        };
        assertFails(Errno.EIO, () -> library.open(a0, 1), "libmlx5.so.1");
        a.opener = (device, context) -> {
            throw new VerbsException(-Errno.EBUSY, "open_device", "in use");
        };
        assertFails(Errno.EBUSY, () -> library.open(a0, 1), "in use");
        a.opener = (device, context) -> {
            throw new OutOfMemoryError("for the test");
        };
        assertFails(Errno.ENOMEM, () -> library.open(a0, 1), "provider 'a' failed with", "give the JVM more");
        Error fatal = dying();
        a.opener = (device, context) -> {
            throw fatal;
        };
        assertThatThrownBy(() -> library.open(a0, 1)).isSameAs(fatal);
    }

    @Test
    void providerMustNotUseContextWhileOpening() {
        a.opener = (device, context) -> {
            context.allocPd();
            return new ContextOps() {};
        };

        assertFails(Errno.EINVAL, () -> library(a).open(a0, 1), "not open yet");
    }
}
