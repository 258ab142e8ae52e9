/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.core.Fakes;
import io.verbs4j.core.discovery.Library;
import io.verbs4j.core.discovery.TimeLimit;
import io.verbs4j.slot.RegMrEx;
import io.verbs4j.testsupport.Patience;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A buffer is not collected while a device may touch it. */
@Timeout(Patience.TEST_SECONDS)
class BufferReachabilityTest {
    private static final int A_FEW = 3;
    private static final int MANY = 100;

    /** Not a mock: Mockito keeps the arguments of calls. */
    private static final class Forgetful implements ContextOps {
        private Context context;
        boolean full;

        Forgetful(Context context) {
            this.context = context;
        }

        /** The extended verb. */
        MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
            requireRoom();
            return new Fakes.FakeMr(pd, attr.addr(), attr.length(), attr.access());
        }

        @Override
        public ProtectionDomain allocPd() {
            return new Fakes.FakePd(context);
        }

        @Override
        public MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
            requireRoom();
            return new Fakes.FakeMr(pd, 0x1000, buffer.remaining(), access);
        }

        @Override
        public MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
            requireRoom();
            return new Fakes.FakeMr(pd, addr, length, access);
        }

        @Override
        public void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
            requireRoom();
        }

        @Override
        public void deregMr(MemoryRegion mr) {
            requireRoom();
        }

        private void requireRoom() {
            if (full) {
                throw new VerbsException(Errno.ENOMEM, "mr", "full");
            }
        }
    }

    private Forgetful ops;
    private WeakReference<ByteBuffer> weak;

    private ProtectionDomain newDomain() {
        Fakes.FakeDevice device = new Fakes.FakeDevice("fake0");
        Fakes.FakeProvider provider = new Fakes.FakeProvider("fake", device);
        provider.opener = (d, c) -> {
            ops = new Forgetful(c);
            return ops;
        };
        return new Library(() -> List.of(provider.found()), TimeLimit::ofProperty)
                .open(device, 1)
                .allocPd();
    }

    /** Of a provider of level 3 that has {@code reg_mr_ex}. */
    private ProtectionDomain newExtendedDomain() {
        Fakes.FakeDevice device = new Fakes.FakeDevice("ext0");
        Forgetful verbs = new Forgetful(null);
        ExtendedRig.Provider provider = new ExtendedRig.Provider(
                device,
                verbs,
                3,
                (opened, table) -> table.fillProvider(ContextSlot.REG_MR_EX, (RegMrEx) verbs::regMrEx));
        ops = verbs;
        verbs.context = new Library(() -> List.of(provider.found()), TimeLimit::ofProperty).open(device, 3);
        return verbs.context.allocPd();
    }

    /** By the verb of the provider, or by the one of level 1 that stands in for it. */
    private ProtectionDomain newDomain(boolean extended) {
        return extended ? newExtendedDomain() : newDomain();
    }

    private MemoryRegion registerEx(ProtectionDomain pd) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        weak = new WeakReference<>(buffer);
        return pd.regMrEx(new RegMrAttrEx()
                .addr(0x1000)
                .length(16)
                .access(AccessFlags.LOCAL_WRITE)
                .keepAlive(buffer));
    }

    private MemoryRegion register(ProtectionDomain pd) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        weak = new WeakReference<>(buffer);
        return pd.regMr(buffer, AccessFlags.LOCAL_WRITE);
    }

    private MemoryRegion registerByAddress(ProtectionDomain pd) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        weak = new WeakReference<>(buffer);
        return pd.regMr(0x1000, 16, AccessFlags.LOCAL_WRITE, buffer);
    }

    private boolean collected(int tries) throws InterruptedException {
        for (int i = 0; i < tries && weak.get() != null; i++) {
            System.gc();
            Thread.sleep(1);
        }
        return weak.get() == null;
    }

    @Test
    void bufferIsKeptWhileRegisteredAndFreedAfterwards() throws InterruptedException {
        MemoryRegion mr = register(newDomain());

        assertThat(collected(A_FEW)).isFalse();
        ops.full = true;
        assertFails(Errno.ENOMEM, mr::close);
        assertThat(collected(A_FEW)).as("deregistration failed").isFalse();
        ops.full = false;
        mr.close();
        assertThat(collected(MANY)).isTrue();
        assertThat(mr.length()).as("the handle itself is still usable").isEqualTo(16);
    }

    @Test
    void ownerOfAddressIsKeptWhileRegistered() throws InterruptedException {
        MemoryRegion mr = registerByAddress(newDomain());

        assertThat(collected(A_FEW)).isFalse();
        ops.full = true;
        assertFails(Errno.ENOMEM, mr::close);
        assertFails(Errno.ENOMEM, () -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, 0));
        assertThat(collected(A_FEW)).as("deregistration failed").isFalse();
        ops.full = false;
        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0);
        assertThat(collected(A_FEW)).as("same memory").isFalse();
        mr.close();
        assertThat(collected(MANY)).isTrue();
    }

    @Test
    void ownerOfAddressIsFreedWhenRegionGetsOtherMemory() throws InterruptedException {
        MemoryRegion mr = registerByAddress(newDomain());

        mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, 0);

        assertThat(collected(MANY)).isTrue();
        mr.close();
    }

    @Test
    void ownerOfAddressIsKeptIfApplicationDropsEverything() throws InterruptedException {
        registerByAddress(newDomain());
        ops = null;

        assertThat(collected(A_FEW)).isFalse();
    }

    @Test
    void addressNeedsNoOwner() {
        MemoryRegion mr = newDomain().regMr(0x1000, 16, 0, null);

        assertThat(mr.addr()).isEqualTo(0x1000);
        mr.close();
    }

    @Test
    void bufferIsKeptIfApplicationDropsEverything() throws InterruptedException {
        register(newDomain());
        ops = null;

        assertThat(collected(A_FEW)).isFalse();
    }

    @Test
    void bufferIsFreedWhenRegionGetsOtherMemory() throws InterruptedException {
        MemoryRegion mr = register(newDomain());

        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0);
        assertThat(collected(A_FEW)).as("same memory").isFalse();
        ops.full = true;
        assertFails(Errno.ENOMEM, () -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, 0));
        assertThat(collected(A_FEW)).as("that failed").isFalse();
        ops.full = false;
        mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, 0);
        assertThat(collected(MANY)).isTrue();
        mr.close();
    }

    @Test
    void bufferIsFreedIfRegistrationFails() throws InterruptedException {
        ProtectionDomain pd = newDomain();
        ops.full = true;

        assertFails(Errno.ENOMEM, () -> register(pd));

        assertThat(collected(MANY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bufferOfExtendedRegistrationIsKept(boolean extended) throws InterruptedException {
        MemoryRegion mr = registerEx(newDomain(extended));

        assertThat(collected(A_FEW)).isFalse();
        ops.full = true;
        assertFails(Errno.ENOMEM, mr::close);
        assertThat(collected(A_FEW)).as("deregistration failed").isFalse();
        ops.full = false;
        mr.close();
        assertThat(collected(MANY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bufferOfExtendedRegistrationIsFreedIfItFails(boolean extended) throws InterruptedException {
        ProtectionDomain pd = newDomain(extended);
        ops.full = true;

        assertFails(Errno.ENOMEM, () -> registerEx(pd));

        assertThat(collected(MANY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bufferOfExtendedRegistrationIsFreedWhenItGetsOtherMemory(boolean extended) throws InterruptedException {
        MemoryRegion mr = registerEx(newDomain(extended));

        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0);
        assertThat(collected(A_FEW)).as("same memory").isFalse();
        mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, 0);
        assertThat(collected(MANY)).isTrue();
        mr.close();
    }
}
