/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class VendorObjectTest {
    private final Children children = new Children("the context");
    private final List<String> done = new ArrayList<>();
    private final VendorObject object = children.make("make", "thing", () -> new VendorObject(children, "thing"));

    private void close() {
        object.close(() -> done.add("woken"), () -> done.add("destroyed"));
    }

    private static void refused(int errno, String part, ThrowingCallable body) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(part);
    }

    @Test
    void retainedObjectCannotBeClosed() {
        object.retain("refer");
        object.retain("refer");
        refused(Errno.EBUSY, "used by 2 other objects", this::close);
        object.release();
        refused(Errno.EBUSY, "used by 1 other objects", this::close);
        assertThat(done).doesNotContain("destroyed");
        assertThat(object.<Integer>use("use", () -> 7)).isEqualTo(7); // as before
        object.release();
        close();
        close();
        assertThat(done).containsOnlyOnce("destroyed");
        refused(Errno.EINVAL, "refer", () -> object.retain("refer"));
        refused(Errno.EINVAL, "use", () -> object.enter("use"));
        children.closeFor("close", () -> done.add("context"));
        assertThat(done).endsWith("context");
    }
}
