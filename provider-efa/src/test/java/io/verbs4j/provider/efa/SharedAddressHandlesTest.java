/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One address handle of the device is shared per destination. */
class SharedAddressHandlesTest {
    private final SharedAddressHandles handles = new SharedAddressHandles();
    private final Object pd = new Object();
    private final Object other = new Object();
    private final Gid gid = Gid.of(1, 2);
    private final List<Long> destroyed = new ArrayList<>();
    private long made;

    private long get(Object domain, Gid to) {
        return handles.get(domain, to, () -> ++made);
    }

    @Test
    void sameDestinationSharesHandleUntilLastRelease() {
        long first = get(pd, gid);
        assertThat(get(pd, Gid.of(1, 2))).isEqualTo(first);
        assertThat(get(pd, Gid.of(1, 3))).isNotEqualTo(first);
        assertThat(get(other, gid)).isNotEqualTo(first);
        handles.giveBack(first, destroyed::add);
        assertThat(destroyed).isEmpty();
        handles.giveBack(first, destroyed::add);
        assertThat(destroyed).containsExactly(first);
        assertThat(get(pd, gid)).isNotEqualTo(first);
    }

    @Test
    void failedCreationIsRetriedNextTime() {
        assertThatThrownBy(() -> handles.get(pd, gid, () -> {
                    throw new VerbsException(Errno.ENOMEM, "create_ah", "full");
                }))
                .isInstanceOf(VerbsException.class);
        assertThat(get(pd, gid)).isEqualTo(1);
    }

    @Test
    void handleStaysIfDestroyingFails() {
        long ah = get(pd, gid);
        assertThatThrownBy(() -> handles.giveBack(ah, one -> {
                    throw new VerbsException(Errno.EBUSY, "destroy_ah", "not now");
                }))
                .isInstanceOf(VerbsException.class);
        assertThat(get(pd, gid)).isEqualTo(ah);
        handles.giveBack(ah, destroyed::add);
        handles.giveBack(ah, destroyed::add);
        assertThat(destroyed).containsExactly(ah);
    }
}
