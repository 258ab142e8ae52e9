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
     * @return such as {@code wr.rdma.rkey}
     */
    String value();

    /**
     * Its size.
     *
     * @return in bytes
     */
    int size();

    /**
     * The first release of rdma-core that has it.
     *
     * @return a major number; 12, the first there was, for what is older
     */
    int since() default 12;
}
