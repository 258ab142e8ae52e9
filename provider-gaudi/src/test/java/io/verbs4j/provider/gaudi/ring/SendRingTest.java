/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import static io.verbs4j.provider.gaudi.ring.PlainRings.DEVICE;
import static io.verbs4j.provider.gaudi.ring.PlainRings.HOST;
import static io.verbs4j.provider.gaudi.ring.PlainRings.LENGTH;
import static io.verbs4j.provider.gaudi.ring.PlainRings.LKEY;
import static io.verbs4j.provider.gaudi.ring.PlainRings.REMOTE_KEY;
import static io.verbs4j.provider.gaudi.ring.PlainRings.THERE;
import static io.verbs4j.provider.gaudi.ring.PlainRings.doorbell;
import static io.verbs4j.provider.gaudi.ring.PlainRings.piece;
import static io.verbs4j.provider.gaudi.ring.PlainRings.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendRingTest {
    private PlainRings rings = new PlainRings(16, 32, false);

    @AfterEach
    void free() {
        rings.close();
    }

    private void with(int size, int stride, boolean signalAll) {
        rings.close();
        rings = new PlainRings(size, stride, signalAll);
    }

    @Test
    void descriptorFieldsAreInPlace() {
        assertThat(rings.post(write(1))).isZero();
        assertThat(rings.post(write(2, piece(HOST + 0x1234, 0x4567)).remoteAddr(0xfedc_ba98_7654_3210L)))
                .isZero();
        assertThat(rings.word(1, 0)).as("ack request, index, opcode").isEqualTo(1 << 31 | 1 << 8 | 2);
        assertThat(rings.word(1, 1)).as("length").isEqualTo(0x4567);
        assertThat(rings.word(1, 2)).as("here, lower half").isEqualTo((int) (DEVICE + 0x1234));
        assertThat(rings.word(1, 3)).as("here, upper half").isEqualTo((int) (DEVICE >>> 32));
        assertThat(rings.word(1, 4)).as("there, lower half").isEqualTo(0x7654_3210);
        assertThat(rings.word(1, 5)).as("there, upper half").isEqualTo(0xfedc_ba98);
        assertThat(rings.word(1, 6)).as("tag").isEqualTo(1);
        assertThat(rings.word(1, 7)).as("completion").isEqualTo(2 << 30);
        assertThat(rings.doorbell()).isEqualTo(doorbell(2));
    }

    @Test
    void unsignaledRequestAsksForNoCompletion() {
        assertThat(rings.post(write(1).sendFlags(0))).isZero();
        assertThat(rings.word(0, 0)).isEqualTo(2);
        assertThat(rings.word(0, 7)).isZero();
        assertThat(rings.post(write(1).sendFlags(SendFlags.SOLICITED | SendFlags.FENCE)))
                .isZero();
        assertThat(rings.word(1, 0)).isEqualTo(1 << 29 | 1 << 8 | 2);
        with(16, 32, true);
        assertThat(rings.post(write(1).sendFlags(0))).isZero();
        assertThat(rings.word(0, 7)).as("sqSigAll").isEqualTo(2 << 30);
    }

    @Test
    void deviceAddressIsWrittenUnchanged() {
        assertThat(rings.post(write(1, piece(DEVICE + 5, 7)))).isZero();
        assertThat(rings.word(0, 2)).isEqualTo((int) (DEVICE + 5));
        assertThat(rings.word(0, 3)).isEqualTo((int) (DEVICE >>> 32));
    }

    @Test
    void doubleSizedElementsHaveEmptyHalf() {
        with(8, 64, false);
        rings.post(write(1));
        rings.post(write(2));
        assertThat(rings.word(1, 0)).isEqualTo(1 << 31 | 1 << 8 | 2);
        assertThat(rings.word(0, 8)).isZero();
        assertThat(rings.isEmpty(2)).isTrue();
    }

    @Test
    void indexByteAndRingWrapAround() {
        with(512, 32, false);
        for (int i = 0; i < 1200; i++) {
            assertThat(rings.post(write(i))).isZero();
            int place = i % 512;
            assertThat(rings.word(place, 0)).isEqualTo(1 << 31 | (place & 0xff) << 8 | 2);
            assertThat(rings.word(place, 6)).as("tag").isEqualTo(i);
            assertThat(rings.doorbell()).isEqualTo(doorbell((i + 1) % 512));
            rings.took(i + 1);
            rings.completes(i);
            WorkCompletion wc = new WorkCompletion();
            assertThat(rings.poll(wc)).isOne();
            assertThat(wc.wrId()).isEqualTo(i);
        }
    }

    @Test
    void fullRingHoldsOneLessThanItsSize() {
        with(4, 32, false);
        SendWorkRequest[] bad = {null};
        for (int i = 0; i < 3; i++) {
            assertThat(rings.post(write(i))).isZero();
        }
        rings.forgetDoorbell();
        SendWorkRequest fourth = write(3);
        assertThat(rings.sends.post(fourth, bad)).isEqualTo(Errno.ENOMEM);
        assertThat(bad[0]).isSameAs(fourth);
        assertThat(rings.isEmpty(3)).isTrue();
        assertThat(rings.doorbell()).isZero();
        rings.completes(1); // completes 0 as well
        assertThat(rings.poll(new WorkCompletion(), new WorkCompletion())).isOne();
        assertThat(rings.post(write(3))).isZero();
        assertThat(rings.post(write(4))).isZero();
        assertThat(rings.post(write(5))).isEqualTo(Errno.ENOMEM);
        assertThat(rings.doorbell()).isEqualTo(doorbell(1));
    }

    @Test
    void listRingsOneDoorbell() {
        SendWorkRequest third = write(3);
        SendWorkRequest first = write(1).next(write(2).next(third));
        assertThat(rings.post(first)).isZero();
        assertThat(rings.doorbell()).isEqualTo(doorbell(3));
    }

    @Test
    void requestsBeforeInvalidOneArePosted() {
        SendWorkRequest wrong = write(3).opcode(WrOpcode.SEND);
        wrong.next(write(4));
        SendWorkRequest[] bad = {null};
        assertThat(rings.sends.post(write(1).next(write(2).next(wrong)), bad)).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(bad[0]).isSameAs(wrong);
        assertThat(rings.doorbell()).isEqualTo(doorbell(2));
        assertThat(rings.isEmpty(2)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 0x1000, 0x1001, 0x1002, 0x1003, -1})
    void unsupportedOpcodesFail(int opcode) {
        assertThat(rings.post(write(1).opcode(opcode))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(rings.post(write(1).opcode(opcode).sgList(null, 2))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(rings.isEmpty(0)).isTrue();
        assertThat(rings.doorbell()).isZero();
        assertThat(rings.post(write(1))).as("the FIFO is free").isZero();
    }

    @Test
    void invalidRequestsFail() {
        ScatterGatherElement fine = piece(HOST, 8);
        for (SendWorkRequest wr : new SendWorkRequest[] {
            write(1).rkey(REMOTE_KEY + 1),
            write(1).sendFlags(SendFlags.INLINE),
            write(1, fine, fine),
            write(1, (ScatterGatherElement) null),
            write(1).sgList(null, 1),
            write(1).sgList(new ScatterGatherElement[0], 1),
            write(1, fine).sgList(new ScatterGatherElement[] {fine}, -1),
            write(1, piece(HOST, -1)),
            write(1, piece(HOST, 8).lkey(LKEY + 1)),
            write(1, piece(HOST - 1, 8)),
            write(1, piece(HOST + LENGTH - 7, 8)),
            write(1, piece(DEVICE - 1, 8)),
            write(1, piece(DEVICE + LENGTH - 7, 8)),
        }) {
            assertThat(rings.post(wr)).as(wr.toString()).isEqualTo(Errno.EINVAL);
        }
        assertThat(rings.post(write(1).sendFlags(1 << 20))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(rings.sends.post((SendWorkRequest) null, null)).isEqualTo(Errno.EINVAL);
        assertThat(rings.isEmpty(0)).isTrue();
        assertThat(rings.doorbell()).isZero();
        assertThat(rings.post(write(1, piece(HOST + LENGTH - 8, 8)))).isZero();
        rings.pin.close();
        assertThat(rings.post(write(1))).as("deregistered").isEqualTo(Errno.EINVAL);
        rings.pin.reopen();
        assertThat(rings.post(write(1))).isZero();
        rings.regions.remove(LKEY, rings.pin);
        assertThat(rings.post(write(1))).isEqualTo(Errno.EINVAL);
        rings.regions.add(LKEY, rings, HOST, LENGTH, DEVICE, rings.pin);
        assertThat(rings.post(write(1))).as("of another domain").isEqualTo(Errno.EINVAL);
    }

    @Test
    void emptyWritesBecomeNops() {
        assertThat(rings.post(write(1).sgList(null, 0))).isZero();
        assertThat(rings.post(write(2, piece(HOST, 0)))).isZero();
        for (int i = 0; i < 2; i++) {
            assertThat(rings.word(i, 0)).isEqualTo(1 << 31 | i << 8);
            for (int w = 1; w <= 5; w++) {
                assertThat(rings.word(i, w)).isZero();
            }
            assertThat(rings.word(i, 7)).isEqualTo(2 << 30);
        }
        assertThat(rings.doorbell()).isEqualTo(doorbell(2));
    }

    @Test
    void closedRingRefusesRequests() {
        rings.sends.close(Errno.EINVAL);
        assertThat(rings.post(write(1))).isEqualTo(Errno.EINVAL);
        SendBuilder b = rings.qp.builder();
        b.start();
        b.write(1, 0, REMOTE_KEY, THERE, LKEY, HOST, 8);
        assertThat(b.complete()).isEqualTo(Errno.EINVAL);
        rings.sends.close(Errno.EOPNOTSUPP); // a ring that Java may not write
        assertThat(rings.post(write(1))).isEqualTo(Errno.EOPNOTSUPP);
        b.start();
        b.write(1, 0, REMOTE_KEY, THERE, LKEY, HOST, 8);
        assertThat(b.complete()).isEqualTo(Errno.EOPNOTSUPP);
        rings.open();
        assertThat(rings.post(write(1))).isZero();
        assertThat(rings.doorbell()).isEqualTo(doorbell(1));
    }

    @Test
    void builderWritesSameDescriptorsAsPost() {
        SendBuilder b = rings.qp.builder();
        b.start();
        b.write(7, SendFlags.SIGNALED, REMOTE_KEY, THERE + 8, LKEY, HOST + 16, 24);
        b.write(8, 0, REMOTE_KEY, THERE);
        assertThat(b.complete()).isZero();
        rings.post(write(7, piece(HOST + 16, 24)).remoteAddr(THERE + 8));
        for (int w = 1; w < 8; w++) {
            if (w != 6) {
                assertThat(rings.word(0, w)).as("word %s", w).isEqualTo(rings.word(2, w));
            }
        }
        assertThat(rings.word(1, 0)).isEqualTo(1 << 8);
        assertThat(rings.doorbell()).isEqualTo(doorbell(3));
        rings.completes(1);
        WorkCompletion wc = new WorkCompletion();
        assertThat(rings.poll(wc)).isOne();
        assertThat(wc.wrId()).isEqualTo(8);
    }

    @Test
    void builderPostsAllOrNothing() {
        SendBuilder b = rings.qp.builder();
        b.start();
        b.write(1, 0, REMOTE_KEY, THERE, LKEY, HOST, 8).write(2, 0, REMOTE_KEY, THERE, LKEY, HOST - 1, 8);
        assertThat(b.complete()).isEqualTo(Errno.EINVAL);
        b.start();
        b.write(1, 0, REMOTE_KEY, THERE, LKEY, HOST, 8).send(2, 0).sge(LKEY, HOST, 8);
        assertThat(b.complete()).isEqualTo(Errno.EOPNOTSUPP);
        b.start();
        b.write(1, 0, REMOTE_KEY, THERE).inlineData(LKEY, HOST, 8);
        assertThat(b.complete()).isEqualTo(Errno.EINVAL);
        b.start();
        b.write(1, 0, REMOTE_KEY, THERE).sge(LKEY, HOST, 8).sge(LKEY, HOST, 8);
        assertThat(b.complete()).isEqualTo(Errno.EINVAL);
        b.start();
        for (int i = 0; i < 16; i++) {
            b.write(i, 0, REMOTE_KEY, THERE, LKEY, HOST, 8);
        }
        assertThat(b.complete()).isEqualTo(Errno.ENOMEM);
        assertThat(rings.isEmpty(0)).isTrue();
        assertThat(rings.doorbell()).isZero();
        b.start();
        for (int i = 0; i < 15; i++) {
            b.write(i, 0, REMOTE_KEY, THERE, LKEY, HOST, 8);
        }
        assertThat(b.complete()).isZero();
        assertThat(rings.doorbell()).isEqualTo(doorbell(15));
    }
}
