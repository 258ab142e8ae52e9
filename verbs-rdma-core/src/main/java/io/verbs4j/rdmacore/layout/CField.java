/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The member whose offset a constant is. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface CField {
    /**
     * The member, as {@code offsetof} takes it.
     *
     * @return for instance {@code wr.rdma.rkey}
     */
    String value();

    /**
     * The size of the member.
     *
     * @return in bytes
     */
    int size();

    /**
     * The first release of rdma-core that has the member.
     *
     * @return a major number; 12, the first release, for older members
     */
    int since() default 12;
}
