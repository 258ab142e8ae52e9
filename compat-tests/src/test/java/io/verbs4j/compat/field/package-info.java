/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Failures in the field: broken providers in jars beside a good one, in separate JVMs. */
package io.verbs4j.compat.field;
