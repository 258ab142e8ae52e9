/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the tests of all rings share. */
package io.verbs4j.ordering;
