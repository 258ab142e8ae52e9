/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionVerbsTest {
    private static final int ALL = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    private final Rig rig = new Rig();
    private final ProtectionDomain pd = rig.pd();
    private final MemoryRegion mr = rig.mr(pd);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(16);

    @BeforeEach
    void forgetTheSetUp() {
        clearInvocations(rig.ops);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_ATOMIC, AccessFlags.REMOTE_WRITE | AccessFlags.MW_BIND
            })
    void remoteWriteNeedsLocalWrite(int access) {
        assertFails(Errno.EINVAL, () -> pd.regMr(0x1000, 1, access), "reg_mr", "add AccessFlags.LOCAL_WRITE");
        assertFails(Errno.EINVAL, () -> pd.regMr(buffer, access), "reg_mr", "add AccessFlags.LOCAL_WRITE");
        assertFails(
                Errno.EINVAL,
                () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, access),
                "rereg_mr",
                "add AccessFlags.LOCAL_WRITE");
        verifyNoInteractions(rig.ops);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 30, Integer.MIN_VALUE})
    void unknownRightsOfLibraryRangeAreRefused(int bit) {
        int access = AccessFlags.LOCAL_WRITE | bit;

        assertFails(Errno.EOPNOTSUPP, () -> pd.regMr(0x1000, 1, access), "0x" + Integer.toHexString(bit));
        assertFails(Errno.EOPNOTSUPP, () -> pd.regMr(buffer, access), "0x" + Integer.toHexString(bit));
        assertFails(Errno.EOPNOTSUPP, () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, access), "newer verbs-core");
        verifyNoInteractions(rig.ops);
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.ZERO_BASED, 1 << 19, AccessFlags.RELAXED_ORDERING, 1 << 29})
    void providerJudgesOtherRights(int bit) {
        int access = AccessFlags.LOCAL_WRITE | bit;

        pd.regMr(0x1000, 1, access);
        pd.regMr(buffer, access);
        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, access);

        verify(rig.ops).regMr(pd, 0x1000, 1, access);
        verify(rig.ops).regMrBuffer(pd, buffer, access);
        verify(rig.ops).reregMr(mr, ReregFlags.CHANGE_ACCESS, pd, mr.addr(), mr.length(), access);
    }

    @Test
    void allKnownRightsAreAccepted() {
        assertThat(pd.regMr(0x1000, 1, ALL).access()).isEqualTo(ALL);
        assertThat(pd.regMr(0x1000, 1, AccessFlags.REMOTE_READ | AccessFlags.MW_BIND))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void lengthMustBePositive(long length) {
        assertFails(Errno.EINVAL, () -> pd.regMr(0x1000, length, 0), "length is " + length);
        assertFails(
                Errno.EINVAL,
                () -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, 0x1000, length, 0),
                "length is " + length);
        verifyNoInteractions(rig.ops);
    }

    @Test
    void memoryMustFitAddressSpace() {
        assertFails(Errno.EINVAL, () -> pd.regMr(-16, 17, 0), "addr 0xfffffffffffffff0", "17", "address space");
        assertFails(Errno.EINVAL, () -> mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, -16, 17, 0), "address space");
        verifyNoInteractions(rig.ops);
        // Addresses are unsigned: the upper half is no overflow.
        assertThat(pd.regMr(Long.MAX_VALUE, 2, 0).length()).isEqualTo(2);
        assertThat(pd.regMr(-4096, 4095, 0).length()).isEqualTo(4095);
    }

    @Test
    void bufferMustBeDirectNonEmptyAndWritable() {
        ByteBuffer readOnly = buffer.asReadOnlyBuffer();

        assertFails(Errno.EINVAL, () -> pd.regMr(null, 0), "buffer is null");
        assertFails(Errno.EINVAL, () -> pd.regMr(ByteBuffer.allocate(8), 0), "not direct", "allocateDirect");
        assertFails(Errno.EINVAL, () -> pd.regMr(buffer.duplicate().position(16), 0), "no bytes between");
        assertFails(Errno.EINVAL, () -> pd.regMr(readOnly, AccessFlags.LOCAL_WRITE), "read-only");
        verifyNoInteractions(rig.ops);
        assertThat(pd.regMr(readOnly, AccessFlags.REMOTE_READ)).isNotNull();
    }

    @Test
    void readOnlyBufferCannotGainWriteRights() {
        MemoryRegion region = pd.regMr(buffer.asReadOnlyBuffer(), 0);
        clearInvocations(rig.ops);

        assertFails(
                Errno.EINVAL,
                () -> region.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, AccessFlags.LOCAL_WRITE),
                "read-only");
        verifyNoInteractions(rig.ops);
        region.rereg(
                ReregFlags.CHANGE_ACCESS | ReregFlags.CHANGE_TRANSLATION, null, 0x1000, 8, AccessFlags.LOCAL_WRITE);
        region.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, AccessFlags.LOCAL_WRITE); // other memory now
    }

    @Test
    void reregNeedsFlags() {
        assertFails(Errno.EINVAL, () -> mr.rereg(0, null, 0, 0, 0), "flags is 0", "ReregFlags");
        assertFails(Errno.EINVAL, () -> mr.rereg(ReregFlags.CHANGE_PD, null, 0, 0, 0), "newPd is null");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void reregPassesUnchangedProperties() {
        ProtectionDomain other = rig.pd();
        MemoryRegion region = pd.regMr(0x1000, 8, AccessFlags.LOCAL_WRITE);

        region.rereg(ReregFlags.CHANGE_PD, other, 99, -99, 1 << 20);
        verify(rig.ops).reregMr(region, ReregFlags.CHANGE_PD, other, 0x1000, 8, AccessFlags.LOCAL_WRITE);

        region.rereg(ReregFlags.CHANGE_ACCESS, pd, 99, -99, AccessFlags.REMOTE_READ);
        verify(rig.ops).reregMr(region, ReregFlags.CHANGE_ACCESS, other, 0x1000, 8, AccessFlags.REMOTE_READ);

        region.rereg(ReregFlags.CHANGE_TRANSLATION, pd, 0x5000, 3, 1 << 20);
        verify(rig.ops).reregMr(region, ReregFlags.CHANGE_TRANSLATION, other, 0x5000, 3, AccessFlags.REMOTE_READ);
    }

    @Test
    void reregIntoClosedDomainIsRefused() {
        ProtectionDomain closed = rig.pd();
        closed.close();
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> mr.rereg(ReregFlags.CHANGE_PD, closed, 0, 0, 0), "domain of fake0 is closed");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void providerJudgesUnknownReregFlags() {
        mr.rereg(ReregFlags.CHANGE_ACCESS | 8, null, 0, 0, 0);

        verify(rig.ops).reregMr(mr, ReregFlags.CHANGE_ACCESS | 8, pd, mr.addr(), mr.length(), 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 2, 3})
    void providerJudgesWindowTypes(int type) {
        pd.allocMw(type);

        verify(rig.ops).allocMw(pd, type);
    }
}
