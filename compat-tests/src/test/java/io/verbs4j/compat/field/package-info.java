/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What goes wrong in the field: broken providers as jars, beside a good one, in JVMs of their own. */
package io.verbs4j.compat.field;
