/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Children keep their owner open, and a failed close changes nothing. */
class ChildrenTest {
    private final Children children = new Children("the owner");

    @Test
    void childrenKeepOwnerOpen() {
        children.make("make", "child", () -> 1);
        children.make("make", "child", () -> 2);
        children.unmake("child", () -> {});
        assertThatThrownBy(() -> children.closeFor("close", () -> {}))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining("child=1");
        assertThatThrownBy(() -> children.unmake("child", () -> {
                    throw new VerbsException(Errno.EBUSY, "destroy", "in use");
                }))
                .isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> children.closeFor("close", () -> {})).isInstanceOf(VerbsException.class);
        children.unmake("child", () -> {});
        children.closeFor("close", () -> {});
        assertThatThrownBy(() -> children.use("use", () -> 1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void failedCloseDoesNotDisturbUsers() throws Exception {
        children.make("make", "child", () -> 1);
        FutureTask<Boolean> uses = new FutureTask<>(() -> {
            for (int i = 0; i < 200_000; i++) {
                children.use("use", () -> 1);
            }
            return true;
        });
        new Thread(uses).start();
        while (!uses.isDone()) {
            assertThatThrownBy(() -> children.closeFor("close", () -> {})).isInstanceOf(VerbsException.class);
        }
        assertThat(uses.get(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
